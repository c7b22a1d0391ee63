# SPDX-License-Identifier: Apache-2.0
from world import Wheel, World, folder

world = World(folder())
tables = Wheel("tables-lib", "1.1", {"tables_lib/__init__.py": b"", "tables_lib/rows.py": b"x = 1\n"})
reader = Wheel(
    "reader",
    "3.0",
    {"reader/__init__.py": b"", "reader/rows.py": b"from tables_lib import rows\n"},
    ("tables-lib>=1",),
)
declared = Wheel("declared", "1.0", {"declared/__init__.py": b""}, ("lazy",))
lazy = Wheel("lazy", "2.0", {"lazy/__init__.py": b""})
world.install(*world.libraries("cu12"), world.framework(), tables, reader, declared, lazy)
