# SPDX-License-Identifier: Apache-2.0
from world import Wheel, World, folder

world = World(folder())
leftover = Wheel("leftover", "0.5", {"leftover/__init__.py": b"", "leftover/data.bin": b"0" * 2_500_000})
world.install(*world.libraries("cu12"), world.framework(), *world.libraries("cu13"), leftover)
