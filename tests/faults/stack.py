# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the frameworks of the reports, with their real names, paths, sonames, RPATHs and preload habits, of a few lines each."""

from kit import EXT, SYSTEM_LIB
from objects import So

O = "$ORIGIN"
SYMBOL_CORE, SYMBOL_CPU, SYMBOL_CUDA = "_ZN3c104coreEv", "_ZN2at3cpuEv", "_ZN2at4cudaEv"


# ------------------------------------------------------------------ NVIDIA's wheels
def nv(w, part, cu, version, *libs, requires=(), extra=None):
    """nvidia-PART-cuCU. libs: sonames or So. The toolkit parts of CUDA 13 have no suffix and share nvidia/cu13/lib;
    cudnn, nccl, cusparselt and nvshmem keep suffix and folder, so that their cu12 and cu13 wheels write the same paths."""
    own_folder = cu < 13 or part in ("cudnn", "nccl", "cusparselt", "nvshmem")
    folder = f"nvidia/{part.replace('-', '_')}/lib" if own_folder else f"nvidia/cu{cu}/lib"
    libs = [So(l) if isinstance(l, str) else l for l in libs]
    files = {**{f"{folder}/{l.soname}": l for l in libs}, **(extra or {})}
    name = f"nvidia-{part}-cu{cu}" if own_folder else f"nvidia-{part}"
    return w.wheel(name, version, files, requires, tag="py3-none-manylinux2014_x86_64", purelib=True)


CUDART = {11: ("libcudart.so.11.0", "11.7.99"), 12: ("libcudart.so.12", "12.8.90"), 13: ("libcudart.so.13", "13.0.96")}


def cudart(w, cu=12, version=None, *symbols):
    soname, usual = CUDART[cu]
    return nv(w, "cuda-runtime", cu, version or usual, So(soname, defs=tuple(f"{s}@{soname}" for s in ("cudaMalloc", *symbols))))


def nccl(w, cu, version, *symbols):
    return nv(w, "nccl", cu, version, So("libnccl.so.2", defs=("ncclGetUniqueId", *symbols), text=(f"NCCL version {version}+cuda{cu}.0",)))


def cudnn(w, cu, version, *symbols, parts=("ops", "adv", "graph")):
    """cuDNN 9: a dispatcher and parts that it opens later."""
    made = f"cuDNN {version} for CUDA {cu}"
    return nv(
        w,
        "cudnn",
        cu,
        version,
        So("libcudnn.so.9", defs=("cudnnCreate", *symbols), text=(made,), runpath=O),
        *[So(f"libcudnn_{p}.so.9", text=(made,), runpath=O) for p in parts],
    )


# ------------------------------------------------------------------ PyTorch
def release(version):
    return tuple(int(x) for x in version.split("+")[0].split(".")[:2])


def torch_rpath(version, cu):
    """The DT_RPATH of torch/lib/*.so as that release's wheels have it."""
    v = release(version)
    old = ["cublas", "cuda_cupti", "cuda_nvrtc", "cuda_runtime", "cudnn", "cufft", "curand", "cusolver", "cusparse", "nccl", "nvtx"]
    if v < (2, 9):
        folders = old + ["cusparselt"] * (v >= (2, 6)) + ["nvshmem"] * (v >= (2, 8))
    else:
        folders = ["cudnn", "nvshmem", "nccl", "cusparselt"] + (
            ["cu13"] if cu.startswith("13") else [f for f in old if f not in ("cudnn", "nccl")] + ["cufile"]
        )
    return ":".join(f"{O}/../../nvidia/{f}/lib" for f in folders)


PRELOAD = '''import ctypes
import glob
import os
import sys

from .version import __version__, cuda as cuda_version


def _preload_cuda_deps(lib_folder, lib_name, required=True):
    """Opens one CUDA library by its full path, looked for on sys.path."""
    for path in sys.path:
        for folder in (lib_folder,{cu13}):
            found = sorted(glob.glob(os.path.join(path, "nvidia", folder, "lib", lib_name)))
            if found:
                ctypes.CDLL(found[0])
                return
    if required:
        raise ValueError(f"{{lib_name}} not found in the system path {{sys.path}}")


def _load_global_deps():
    global_deps_lib_path = os.path.join(os.path.dirname(__file__), "lib", "libtorch_global_deps.so")
{load}


_load_global_deps()
from torch._C import *
from torch import _C
'''
NO_PRELOAD = "    ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)"
ON_ERROR = '''    cuda_libs = {{
{table}    }}
    try:
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)
{on_success}    except OSError as err:
        if not [lib for lib in cuda_libs.values() if lib.split(".")[0] in err.args[0]]:
            raise
        for lib_folder, lib_name in cuda_libs.items():
            _preload_cuda_deps(lib_folder, lib_name, lib_folder != "nvtx")
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)'''
ON_SUCCESS_JIT = '''        try:
            with open("/proc/self/maps") as f:
                maps = f.read()
            if "nvidia/cuda_runtime/lib/libcudart.so" in maps:
                _preload_cuda_deps("cuda_nvrtc", "libnvrtc.so.*[0-9]")
                _preload_cuda_deps("nvjitlink", "libnvJitLink.so.*[0-9]")
        except Exception:
            pass
'''
ON_SUCCESS_ALL = '''        try:
            with open("/proc/self/maps") as f:
                if "libcudart.so" not in f.read():
                    return
            for lib_folder, lib_name in cuda_libs.items():
                _preload_cuda_deps(lib_folder, lib_name, lib_folder != "nvtx")
        except Exception:
            pass
'''


def torch_init(version, cu, not_in_table=()):
    """torch/__init__.py with the preload of that release. not_in_table: folders that its table forgets."""
    v = release(version)
    if not cu or v < (2, 0):
        return PRELOAD.format(cu13="", load=NO_PRELOAD)
    libs = {
        "cublas": "libcublas",
        "cudnn": "libcudnn",
        "cuda_nvrtc": "libnvrtc",
        "cuda_runtime": "libcudart",
        "cuda_cupti": "libcupti",
        "cufft": "libcufft",
        "curand": "libcurand",
        **({"nvjitlink": "libnvJitLink"} if v >= (2, 5) else {}),
        "cusparse": "libcusparse",
        **({"cusparselt": "libcusparseLt"} if v >= (2, 6) else {}),
        "cusolver": "libcusolver",
        "nccl": "libnccl",
        **({"nvshmem": "libnvshmem_host", "cufile": "libcufile"} if v >= (2, 9) else {}),
        "nvtx": "libnvToolsExt",
    }
    table = "".join(f'        "{f}": "{n}.so.*[0-9]",\n' for f, n in libs.items() if f not in not_in_table)
    on_success = "" if v < (2, 5) else ON_SUCCESS_JIT if v < (2, 10) else ON_SUCCESS_ALL
    return PRELOAD.format(cu13=f' "cu{cu.split(".")[0]}"' if v >= (2, 9) else "", load=ON_ERROR.format(table=table, on_success=on_success))


def torch(
    w,
    version,
    cu=None,
    needs=(),
    global_needs=None,
    c10=(),
    cpu=(),
    c10_cuda=(),
    cpu_needs=(),
    c10_cuda_needs=None,
    requires=(),
    rpath=None,
    extra=None,
    fatbin=b"",
    init=None,
    bundled=None,
):
    """torch with its libraries. cu: its CUDA release; needs: what libtorch_cuda.so needs besides cudart; c10, cpu, c10_cuda: symbols that
    libc10.so, libtorch_cpu.so, libc10_cuda.so export; bundled: cudart under that soname lies in torch/lib (see extra)."""
    runtime = bundled or (CUDART[int(cu.split(".")[0])][0] if cu else None)
    global_needs = ((runtime,) if runtime else ()) if global_needs is None else global_needs
    search = "" if not cu else torch_rpath(version, cu) if rpath is None else rpath
    lib = f"{search}:{O}" if search else O
    f = {
        "torch/version.py": f"__version__ = '{version}'\ndebug = False\ncuda = {cu!r}\ngit_version = '0000000'\nhip = None\n",
        "torch/__init__.py": init or torch_init(version, cu),
    }
    L, top = "torch/lib/", ["libtorch_cpu.so"]
    f[L + "libtorch_global_deps.so"] = So("libtorch_global_deps.so", needs=tuple(global_needs), rpath=lib)
    f[L + "libc10.so"] = So("libc10.so", defs=(SYMBOL_CORE, *c10), rpath=lib)
    f[L + "libtorch_cpu.so"] = So("libtorch_cpu.so", defs=(SYMBOL_CPU, *cpu), needs=(("libc10.so", SYMBOL_CORE), *cpu_needs), rpath=lib)
    if cu:
        used = c10_cuda_needs or ((runtime, "cudaMalloc" if bundled else f"cudaMalloc@{runtime}"),)
        f[L + "libc10_cuda.so"] = So("libc10_cuda.so", defs=("_ZN3c104cudaEv", *c10_cuda), needs=("libc10.so", *used), rpath=lib)
        f[L + "libtorch_cuda.so"] = So(
            "libtorch_cuda.so", defs=(SYMBOL_CUDA,), needs=("libc10_cuda.so", "libtorch_cpu.so", *needs), rpath=lib, fatbin=fatbin
        )
        top.append("libtorch_cuda.so")
    f[L + "libtorch.so"] = So("libtorch.so", needs=tuple(top), rpath=lib)
    f[L + "libtorch_python.so"] = So(
        "libtorch_python.so", needs=("libtorch.so", ("libtorch_cpu.so", SYMBOL_CPU), *top[1:], "libc10.so"), rpath=lib
    )
    f[f"torch/_C{EXT}"] = So(module="_C", needs=("libtorch_python.so",), rpath=(f"{search}:" if search else "") + f"{O}:{O}/lib")
    return w.wheel("torch", version, {**f, **(extra or {})}, requires, purelib=False)


def bundled_cudart(soname):
    """For old torch wheels that carry cudart: keyword arguments for torch()."""
    return {"bundled": soname, "rpath": "", "extra": {f"torch/lib/{soname}": So(soname, defs=("cudaMalloc",))}}


def extension(
    w, name, version, package, needs=(), undefs=(), requires=(), module="_C", suffix=EXT, init=None, rpath="", runpath="", extra=None, **kw
):
    """A package that imports torch, then its own native module."""
    so = So(module=module, needs=tuple(needs), undefs=tuple(undefs), rpath=rpath, runpath=runpath, **kw)
    init = init or f"import torch\nfrom {package} import {module}\n"
    return w.wheel(name, version, {f"{package}/__init__.py": init, f"{package}/{module}{suffix}": so, **(extra or {})}, requires)


# ------------------------------------------------------------------ others
def onnxruntime(w, name, version, needs=(), gpu=True, requires=(), text=""):
    """The core loads alone; providers_cuda is opened by it, by name, when a session wants it."""
    C, said = "onnxruntime/capi/", (f"{name} {version} {text}",)
    f = {
        "onnxruntime/__init__.py": f"__version__ = '{version}'\nfrom onnxruntime.capi._pybind_state import *\n",
        C + "__init__.py": "",
        C
        + "_pybind_state.py": "from . import onnxruntime_pybind11_state as _state\n\n\nclass InferenceSession:\n    def __init__(self, model, providers=()):\n"
        "        if 'CUDAExecutionProvider' in providers and _state.call():\n            raise RuntimeError('CUDAExecutionProvider could not be created')\n",
    }
    core = So(module="onnxruntime_pybind11_state", runpath=O, text=said)
    if gpu:
        core = core.but(dlopens=("libonnxruntime_providers_cuda.so",), entry="OrtSessionOptionsAppendExecutionProvider_CUDA")
        f[C + "libonnxruntime_providers_shared.so"] = So("libonnxruntime_providers_shared.so", defs=("Provider_GetHost",))
        f[C + "libonnxruntime_providers_cuda.so"] = So(
            "libonnxruntime_providers_cuda.so", needs=(("libonnxruntime_providers_shared.so", "Provider_GetHost"), *needs), runpath=O
        )
    f[f"{C}onnxruntime_pybind11_state{EXT}"] = core
    return w.wheel(name, version, f, requires)


GPU_SESSION = "import onnxruntime\nonnxruntime.InferenceSession('m', providers=['CUDAExecutionProvider'])\n"


def ctranslate2(w, version, names, style, runpath="", **kw):
    """The engine opens parts of cuDNN by bare name at first use."""
    lib = f"libctranslate2-61cd0a5b.so.{version}"
    f = {
        "ctranslate2/__init__.py": f"__version__ = '{version}'\nfrom ctranslate2 import _ext\n\n\ndef encode():\n    if _ext.call():\n        raise SystemExit(134)\n",
        f"ctranslate2/_ext{EXT}": So(module="_ext", needs=((lib, "ctranslate2_encode"),), rpath=f"{O}/../ctranslate2.libs"),
        f"ctranslate2.libs/{lib}": So(lib, dlopens=tuple(names), entry="ctranslate2_encode", style=style, runpath=runpath, **kw),
    }
    return w.wheel("ctranslate2", version, f)


def opencv(w, name, version, needs=(), extra=None, init=""):
    f = {
        "cv2/__init__.py": f"# {name}\nfrom .cv2 import *\nfrom . import cv2 as native\n{init}",
        "cv2/version.py": f"opencv_version = '{version}'\n",
        "cv2/cv2.abi3.so": So(module="cv2", needs=tuple(needs), text=(f"{name} {version}",)),
    }
    return w.wheel(name, version, {**f, **(extra or {})})


def driver(w, version, *gpus, init=0, cuda=0, symbols=()):
    """The kernel's and the user's side of NVIDIA's driver in a root tree. init, cuda: what cuInit and cuDriverGetVersion return."""
    w.put(
        f"root/{SYSTEM_LIB}/libcuda.so.{version}",
        So("libcuda.so.1", defs=(f"cuInit={init}", f"cuDriverGetVersion={cuda}", *symbols), text=(f"NVIDIA UNIX x86_64 {version}",)),
    )
    w.put(
        "root/proc/driver/nvidia/version",
        f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Thu Jan  1 00:00:00 UTC 2026\nGCC version:  gcc version 12.2.0\n",
    )
    w.put("root/sys/module/nvidia/version", f"{version}\n")
    for i, g in enumerate(gpus):
        bus = f"0000:{i + 1:02x}:00.0"
        w.put(
            f"root/proc/driver/nvidia/gpus/{bus}/information",
            f"Model: \t\t {g}\nIRQ:   \t\t {100 + i}\nGPU UUID: \t GPU-00000000-0000-0000-0000-00000000000{i}\nVideo BIOS: \t ??.??.??.??.??\nBus Type: \t PCIe\n"
            f"DMA Size: \t 47 bits\nDMA Mask: \t 0x7fffffffffff\nBus Location: \t {bus}\nDevice Minor: \t {i}\nGPU Excluded:\t No\n",
        )
    w.ldconfig()


def maps(*names):
    """Python that fails when all of these are mapped into the process."""
    return f"m = open('/proc/self/maps').read()\nassert not all(n in m for n in {names!r}), 'all mapped: {', '.join(names)}'\n"
