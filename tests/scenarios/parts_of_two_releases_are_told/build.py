# SPDX-License-Identifier: Apache-2.0
# One part of cuDNN lies in another package, of another release; the part that opens it reaches both folders.
from world import So, Wheel, World, folder

world = World(folder())
graph, engine = "libcudnn_graph.so.9", "libcudnn_engines_runtime_compiled.so.9"


def part(name, number, **more):
    return world.compiled(So(name, defs=(f"cudnnGetVersion={number}",), **more))


world.install(
    Wheel("first-parts", "9.20.0.48", {f"first/lib/{graph}": part(graph, 92000, dlopens=(engine,), entry="cudnnRun", runpath="$ORIGIN:$ORIGIN/../../second/lib")}),
    Wheel("second-parts", "9.21.1.3", {f"second/lib/{engine}": part(engine, 92101)}),
)
