# SPDX-License-Identifier: Apache-2.0
# The extension has a RUNPATH, which LD_LIBRARY_PATH outranks: the old copy lacks a function. With RPATH (the second package) it is
# harmless, and so is a variable that leads elsewhere.
from world import So, Wheel, World, folder

world = World(folder())
node = "libdelta.so.1"
new = world.compiled(So(node, defs=("delta_open", "delta_sync", "deltaGetVersion=1200")))
old = world.compiled(So(node, defs=("delta_open", "deltaGetVersion=1100")))
for path, content in (("old/lib/libdelta.so.1", old), ("other/lib/libother.so.1", new)):
    file = world.folder / path
    file.parent.mkdir(parents=True)
    file.write_bytes(content)


def package(name, **paths):
    extension = So(module="_C", needs=((node, "delta_sync"),), **paths)
    return Wheel(name, "1.0", {f"{name}/__init__.py": f"from {name} import _C\n".encode(), f"{name}/_C.abi3.so": world.compiled(extension)}, ("delta==1.2",))


world.install(
    Wheel("delta", "1.2", {"delta/lib/libdelta.so.1": new}),
    package("first", runpath="$ORIGIN/../delta/lib"),
    package("second", rpath="$ORIGIN/../delta/lib"),
)
