# SPDX-License-Identifier: Apache-2.0
from world import World, folder

world = World(folder())
for name in ("one", "the other"):
    world.kit.venv(world.folder / "all" / name)
(world.folder / "config").mkdir()
(world.folder / "config" / "whyso").mkdir()
(world.folder / "config" / "whyso" / "whyso.toml").write_text("select = 3\n")
