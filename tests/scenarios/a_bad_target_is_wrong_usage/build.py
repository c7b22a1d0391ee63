# SPDX-License-Identifier: Apache-2.0
from world import World, folder

world = World(folder())
open("file.txt", "w").close()
