# SPDX-License-Identifier: Apache-2.0
from world import World, folder

world = World(folder())
world.install(*world.libraries("cu12"), world.framework())
