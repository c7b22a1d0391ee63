# SPDX-License-Identifier: Apache-2.0
# A repair tool gave the builtins a name with a hash, and the string by which they are opened was left. The alternative beside it is
# whole: the near miss. A provider for another CUDA is opened on first use; variants of one library are tried in turn and are none.
from world import So, Wheel, World, folder

world = World(folder())
builtins, found = "libnvrtc-builtins.so.12.8", "libnvrtc-builtins.alt.so.12.8"


def compiled(*a, **k):
    return world.compiled(So(*a, **k))


world.install(
    Wheel(
        "jit-libs",
        "12.8",
        {
            "jit.libs/libnvrtc.so.12": compiled("libnvrtc.so.12", dlopens=(builtins,), entry="compile_one", runpath="$ORIGIN"),
            "jit.libs/libnvrtc-builtins-1a2b3c4d.so.12.8": compiled("libnvrtc-builtins-1a2b3c4d.so.12.8"),
            "jit.libs/libnvrtc.alt.so.12": compiled("libnvrtc.alt.so.12", dlopens=(found,), entry="compile_two", runpath="$ORIGIN"),
            f"jit.libs/{found}": compiled(found),
        },
    ),
    Wheel("runner", "1.0", {"runner/librunner_cuda.so": compiled("librunner_cuda.so", needs=("libcublas.so.12",))}),
    Wheel("tryer", "1.0", {f"tryer/libtryer_cuda{n}.so": compiled(f"libtryer_cuda{n}.so", needs=(f"libcublas.so.{n}",), runpath="$ORIGIN/../cu13") for n in (12, 13)}),
    Wheel("nvidia-cublas", "13.0", {"cu13/libcublas.so.13": compiled("libcublas.so.13")}),
)
