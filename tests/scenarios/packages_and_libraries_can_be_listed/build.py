# SPDX-License-Identifier: Apache-2.0
from world import Wheel, World, folder

world = World(folder())
world.install(*world.libraries("cu12"), world.framework(), *world.libraries("cu13"), Wheel("toolkit", "1.0", {}))
world.site.uninstall("nvidia-alpha-cu13")
site = next((world.folder / "env").glob("lib/python3.*/site-packages"))
(site / "left").mkdir()
(site / "left/libover.so.1").write_bytes((site / "nvidia/beta/lib/libbeta.so.2").read_bytes())
