# SPDX-License-Identifier: Apache-2.0
from world import Wheel, World, folder

world = World(folder())
# Both list an empty __init__.py, which is missed by nobody; the other imports it only where it is there.
alone = Wheel("alone", "1.0", {"space/__init__.py": b"", "space/alone/__init__.py": b"x = 1\n"})
beside = Wheel(
    "beside",
    "1.0",
    {"space/__init__.py": b"", "space/beside.py": b"try:\n    import space.alone\nexcept ImportError:\n    pass\n"},
)
world.install(*world.libraries("cu12"), world.framework(), alone, beside)
