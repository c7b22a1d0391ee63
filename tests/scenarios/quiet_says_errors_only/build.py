# SPDX-License-Identifier: Apache-2.0
from world import World, folder

world = World(folder())
world.install(*world.libraries("cu12"), world.framework(), *world.libraries("cu13"))
for name in ("alpha", "beta"):
    world.site.uninstall(f"nvidia-{name}-cu13")
