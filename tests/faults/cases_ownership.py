# SPDX-License-Identifier: Apache-2.0
"""Who owns which file: K04 two owners of a path, K05 gutted, K07 dirty upgrades, K20 stale caches, K21 no version for all."""

import os

from kit import EXT, V, case
from objects import So
from stack import O, cudart, cudnn, nccl, nv, onnxruntime, opencv, torch

CONTESTED = ("SO202", "SO203", "SO207")
GUTTED = ("SO102", "SO204")


# ------------------------------------------------------------------ K04 two owners of a path
@case(16, "K04", "meta-package-installs-both")
def _(w, ok):
    w.venv()

    def build(cu):
        rt = f"libcudart.so.{cu}"
        return w.wheel(
            f"nixl-cu{cu}",
            "1.2.0",
            {
                "nixl_ep/__init__.py": "from nixl_ep import nixl_ep_cpp\n",
                f"nixl_ep/nixl_ep_cpp{EXT}": So(
                    module="nixl_ep_cpp",
                    needs=((rt, f"cudaMalloc@{rt}"),),
                    rpath=f"{O}/../nvidia/cu13/lib:{O}/../nvidia/cuda_runtime/lib",
                    text=(f"nixl for CUDA {cu}",),
                ),
                f"nixl_cu{cu}/__init__.py": "",
                f"nixl_cu{cu}/_utils.py": f"cuda = {cu}\n",
            },
        )

    w.install(cudart(w, 13), build(13))
    if not ok:
        w.install(
            build(12), w.wheel("nixl", "1.2.0", {"nixl/__init__.py": "from nixl_ep import *\n"}, ("nixl-cu12==1.2.0", "nixl-cu13==1.2.0"))
        )
    w.fails("import nixl_ep", "libcudart.so.12: cannot open shared object file")
    w.pip_check()
    w.expect(
        (*CONTESTED, "SO101"),
        ("nixl-cu12", "nixl-cu13", "nixl_ep/nixl_ep_cpp"),
        union=True,
        not_codes=("SO102",),
        fix=[["nixl-cu13"]],
        fix_never=("nvidia-cuda-runtime-cu12",),
        why="both wheels write one extension path and the CUDA 12 build was written last; a CUDA 12 runtime would hide that, not mend it",
    )


@case(17, "K04", "older-nccl-over-newer")
def _(w, ok):
    w.venv()
    resume, old, new = "ncclCommResume", nccl(w, 12, "2.29.3"), nccl(w, 13, "2.29.7", "ncclCommResume")
    w.install(cudart(w, 13), new, old)
    if ok:
        w.uninstall("nvidia-nccl-cu12")
        w.install(new)
    w.install(
        torch(
            w,
            "2.13.0.dev20260605+cu130",
            "13.0",
            needs=(("libnccl.so.2", "ncclGetUniqueId", resume),),
            requires=("nvidia-nccl-cu13==2.29.7",),
        )
    )
    w.fails("import torch", f"undefined symbol: {resume}")
    w.pip_check()
    w.expect(
        (*CONTESTED, "SO301"),
        ("nvidia-nccl-cu12", "nvidia-nccl-cu13", "nvidia/nccl/lib/libnccl.so.2", resume),
        union=True,
        not_codes=("SO101", "SO102"),
        fix=[["reinstall", "nvidia-nccl-cu13"]],
        why="the older cu12 bytes lie under the path that the cu13 distribution lists; uninstalling cu12 alone would delete the file, the survivor must be reinstalled",
    )


@case(18, "K04", "cpu-build-over-gpu-build")
def _(w, ok):
    w.venv()
    w.install(onnxruntime(w, "onnxruntime-gpu", "1.23.0"))
    if not ok:
        w.install(onnxruntime(w, "onnxruntime", "1.23.2", gpu=False))
    w.fails(
        "import onnxruntime.capi.onnxruntime_pybind11_state as s\nassert b'CUDA' in open(s.__file__, 'rb').read(), 'CUDAExecutionProvider is not available'",
        "CUDAExecutionProvider is not available",
    )
    w.pip_check()
    w.expect(
        CONTESTED,
        ("onnxruntime-gpu", "1.23.2", "onnxruntime_pybind11_state"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["onnxruntime-gpu"]],
        why="the CPU distribution overwrote the core of the GPU one; the GPU provider library is left intact and nothing opens it any more",
    )


@case(19, "K04", "two-wheels-interleaved")
def _(w, ok):
    w.venv()
    lib, core = "libcute_dsl_runtime.so", "nvidia_cutlass_dsl/_mlir_libs"

    def build(name, tag):
        f = {f"nvidia_cutlass_dsl/cute/part{i}.py": f"# {name}\nvalue = {i}\n" for i in range(7)}
        f["nvidia_cutlass_dsl/__init__.py"] = f"# {name}\nfrom nvidia_cutlass_dsl._mlir_libs import _cutlass_ir\n"
        f[f"{core}/__init__.py"] = ""
        f[f"{core}/_cutlass_ir{EXT}"] = So(module="_cutlass_ir", needs=((lib, f"mlirCuteTypeGet{tag}"),), rpath=f"{O}/../lib")
        f[f"nvidia_cutlass_dsl/lib/{lib}"] = So(lib, defs=(f"mlirCuteTypeGet{tag}",), text=(name,))
        return w.wheel(name, "4.7.0", f)

    a, b = build("nvidia-cutlass-dsl-libs-base", "V1"), build("nvidia-cutlass-dsl-libs-cu13", "V2")
    w.install(a)
    if not ok:
        w.install(b)
        for p in [p for p in a.files if "part" in p][:4] + [f"nvidia_cutlass_dsl/lib/{lib}"]:
            w.put(f"env/lib/python{V}/site-packages/{p}", a.files[p])  # where the installer's thread for the first wheel came last
    w.fails("import nvidia_cutlass_dsl", "undefined symbol: mlirCuteTypeGetV2")
    w.expect(
        (*CONTESTED, "SO301"),
        ("nvidia-cutlass-dsl-libs-base", "nvidia-cutlass-dsl-libs-cu13"),
        [(lib, "_cutlass_ir", "part0.py", "__init__.py")],
        union=True,
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-cutlass-dsl-libs-base"], ["nvidia-cutlass-dsl-libs-cu13"]],
        why="two wheels that share all their paths were written at once: half of the files are one's, half the other's, and neither RECORD is true",
    )


@case(20, "K04", "two-requirers-two-cupys")
def _(w, ok):
    w.venv()

    def cupy(cu):
        return w.wheel(
            f"cupy-cuda{cu}x",
            "13.6.0",
            {
                "cupy/__init__.py": "from cupy import _core\n\n\ndef compile():\n    if _core.call():\n        raise RuntimeError('CuPy failed to load libnvrtc')\n",
                f"cupy/_core{EXT}": So(
                    module="_core",
                    dlopens=(f"libnvrtc.so.{cu}",),
                    entry="cupy_nvrtc",
                    rpath=f"{O}/../nvidia/cu13/lib:{O}/../nvidia/cuda_nvrtc/lib",
                ),
            },
        )

    w.install(
        nv(w, "cuda-nvrtc", 13, "13.0.88", "libnvrtc.so.13"),
        cupy(13),
        w.wheel("mooncake-engine", "0.3.7", {"mooncake/__init__.py": "import cupy\n"}, ("cupy-cuda13x",)),
    )
    if not ok:
        w.install(cupy(12), w.wheel("vllm-omni", "0.14.0", {"vllm_omni/__init__.py": "import cupy\n"}, ("cupy-cuda12x",)))
    w.py("import cupy")
    w.fails("import cupy\ncupy.compile()", "libnvrtc.so.12: cannot open shared object file")
    w.expect(
        CONTESTED,
        ("cupy-cuda12x", "cupy-cuda13x"),
        [("vllm-omni",), ("mooncake-engine",)],
        exit=(0, 1),
        not_codes=("SO102",),
        fix=[["cupy-cuda13x"]],
        why="two dependents each asked for another build of cupy; both share the tree cupy/, the CUDA 12 one was written last on a CUDA 13 image",
    )


# ------------------------------------------------------------------ K05 gutted
@case(21, "K05", "cleanup-removed-nvshmem")
def _(w, ok):
    w.venv()

    def shm(cu):
        return nv(
            w,
            "nvshmem",
            cu,
            "3.4.5",
            So(
                "libnvshmem_host.so.3",
                defs=("nvshmemx_init_status",),
                dlopens=("nvshmem_bootstrap_uid.so.3",),
                entry="nvshmemi_bootstrap",
                runpath=O,
                text=(f"CUDA {cu}",),
            ),
            So("nvshmem_bootstrap_uid.so.3", text=(f"CUDA {cu}",)),
            extra={"nvidia/nvshmem/include/nvshmem.h": "/* 3.4.5 */\n"},
        )

    w.install(
        cudart(w, 13),
        shm(13),
        torch(
            w, "2.12.0+cu130", "13.0", needs=(("libnvshmem_host.so.3", "nvshmemx_init_status"),), requires=("nvidia-nvshmem-cu13==3.4.5",)
        ),
        shm(12),
    )
    w.uninstall("nvidia-nvshmem-cu12")
    if ok:
        w.install(shm(13))
    w.fails("import torch", "libnvshmem_host.so.3: cannot open shared object file")
    w.pip_check()
    w.expect(
        ("SO102",),
        ("libnvshmem_host.so.3", "nvidia-nvshmem-cu13"),
        not_codes=("SO101", "SO201"),
        fix=[["reinstall", "nvidia-nvshmem-cu13"]],
        once=True,
        why="removing the stale cu12 distribution deleted the files that the cu13 one still lists; a plain install says it is satisfied",
    )


@case(22, "K05", "nothing-left-but-metadata")
def _(w, ok):
    w.venv()
    w.install(opencv(w, "opencv-python", "4.12.0.88", extra={"cv2/gapi/__init__.py": "", "cv2/config.py": "import os\n"}), by="uv")
    if not ok:
        w.install(
            opencv(w, "opencv-python-headless", "4.12.0.88", extra={"cv2/gapi/__init__.py": "", "cv2/config.py": "import os\n"}), by="uv"
        )
        w.uninstall("opencv-python-headless", by="uv")
    w.fails("import cv2", "No module named 'cv2'")
    w.pip_check()
    w.expect(
        ("SO102",),
        ("opencv-python", "4.12.0.88", "cv2"),
        not_codes=("SO201", "SO101"),
        fix=[["reinstall", "opencv-python"]],
        once=True,
        why="the other variant was removed and took every file: the distribution is listed as installed, its package folder is gone",
    )


def decord(w, greedy):
    numpy = w.wheel(
        "numpy",
        "1.20.2",
        {
            "numpy/__init__.py": "from numpy import _umath\n",
            f"numpy/_umath{EXT}": So(module="_umath"),
            "numpy/version.py": "version = '1.20.2'\n",
        },
    )
    foreign = {p: d for p, d in numpy.members().items() if p.startswith("numpy/")} if greedy else None
    w.install(
        numpy,
        w.wheel(
            "decord",
            "0.5.2",
            {"decord/__init__.py": "import numpy\n", "decord/libdecord.so": So("libdecord.so")},
            ("numpy>=1.14.0",),
            also_recorded=foreign,
        ),
    )


@case(23, "K05", "plan-removal-of-a-greedy-record")
def _(w, ok):
    w.venv()
    decord(w, greedy=not ok)
    argv = w.plan_uninstall("decord")
    w.after("import numpy", "No module named 'numpy'|cannot import")
    w.expect(
        ("SO601", "SO603"),
        ("numpy", "decord"),
        argv=argv,
        union=True,
        not_codes=("SO102",),
        why="the wheel's RECORD lists the files of numpy as its own: pip would delete them with it",
    )


@case(23, "K05", "gutted-by-a-greedy-record")
def _(w, ok):
    w.venv()
    decord(w, greedy=not ok)
    w.uninstall("decord")
    w.fails("import numpy\nnumpy._umath", "has no attribute|No module named 'numpy'")
    w.pip_check()
    w.expect(
        ("SO102",),
        ("numpy", "1.20.2"),
        not_codes=("SO201", "SO101"),
        fix=[["reinstall", "numpy"]],
        once=True,
        why="the uninstall of a wheel whose RECORD lists foreign files left numpy with its metadata only",
    )


# ------------------------------------------------------------------ K07 dirty upgrades
def cutlass(w, version, lib_symbol, own_tree):
    """The DSL: a .pth file puts its tree on sys.path; since 4.4 the tree comes from a second distribution."""
    base = "nvidia_cutlass_dsl/python_packages/cutlass"
    tree = {
        f"{base}/__init__.py": f"# {version}\nfrom cutlass import _ir\n",
        f"{base}/_ir.so": So(module="_ir", needs=(("libcute.so", lib_symbol),), rpath=f"{O}/../../lib", text=(version,)),
        "nvidia_cutlass_dsl/lib/libcute.so": So("libcute.so", defs=("cuteInit", lib_symbol), text=(version,)),
    }
    pth = {"nvidia_cutlass_dsl.pth": "nvidia_cutlass_dsl/python_packages\n"}
    if own_tree:
        return [w.wheel("nvidia-cutlass-dsl", version, {**pth, **tree})]
    return [
        w.wheel("nvidia-cutlass-dsl-libs-base", version, {**pth, **tree}),
        w.wheel("nvidia-cutlass-dsl", version, {}, (f"nvidia-cutlass-dsl-libs-base=={version}",)),
    ]


@case(27, "K07", "upgrade-removed-the-new-files")
def _(w, ok):
    w.venv()
    new = cutlass(w, "4.4.2", "cuteInit2", own_tree=False)
    w.install(*cutlass(w, "4.3.5", "cuteInit1", own_tree=True))
    if ok:
        w.uninstall("nvidia-cutlass-dsl")
    w.install(*new)
    w.fails("import cutlass", "No module named 'cutlass'")
    w.pip_check()
    w.expect(
        GUTTED,
        ("nvidia-cutlass-dsl-libs-base", "4.4.2", "nvidia_cutlass_dsl.pth"),
        not_codes=("SO201",),
        fix=[["reinstall", "nvidia-cutlass-dsl-libs-base"]],
        why="the new distribution's files were laid down first, then the old distribution was removed, which listed the same paths",
    )


@case(27, "K07", "downgrade-leaves-the-newer-tree")
def _(w, ok):
    w.venv()
    new, (old,) = cutlass(w, "4.4.2", "cuteInit2", own_tree=False), cutlass(w, "4.3.5", "cuteInit1", own_tree=True)
    w.install(*new)
    if ok:
        w.uninstall("nvidia-cutlass-dsl-libs-base")
    w.install(old)
    if not ok:  # installed beside, not over, as the resolver's second pass did
        for p in ("nvidia_cutlass_dsl/python_packages/cutlass/_ir.so", "nvidia_cutlass_dsl/python_packages/cutlass/__init__.py"):
            w.put(f"env/lib/python{V}/site-packages/{p}", new[0].files[p])
    w.fails("import cutlass", "undefined symbol: cuteInit2")
    w.expect(
        (*CONTESTED, "SO204", "SO301"),
        ("nvidia-cutlass-dsl-libs-base", "4.4.2", "4.3.5"),
        union=True,
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-cutlass-dsl"]],
        why="after the downgrade the second distribution of the newer release is still installed and claims the same tree: half of it is the newer one's",
    )


@case(28, "K07", "two-versions-of-torch-listed")
def _(w, ok):
    w.venv()
    s26, s28 = "_ZN3c107impl_v26Ev", "_ZN3c107impl_v28Ev"
    old, new = torch(w, "2.6.0", None, c10=(s26,)), torch(w, "2.8.0", None, c10=(s28,))
    w.install(new)
    if not ok:
        w.install(old, keep_old=True)
    init = "import ctypes, os\nimport torch\n\ntry:\n    ctypes.CDLL(os.path.join(os.path.dirname(__file__), '_C.so'))\nexcept OSError:\n    raise RuntimeError('operator torchvision::nms does not exist')\n"
    w.install(
        w.wheel(
            "torchvision",
            "0.23.0",
            {"torchvision/__init__.py": init, "torchvision/_C.so": So("_C.so", needs=(("libc10.so", s28),))},
            ("torch==2.8.0",),
        )
    )
    w.fails("import torch, torchvision\nassert torch.__version__ == '2.8.0'", "operator torchvision::nms does not exist")
    w.expect(
        ("SO206", "SO203", "SO207", "SO301", "SO307"),
        ("torch", "2.8.0", "2.6.0"),
        union=True,
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["torch"]],
        why="two dist-info folders name torch; pip shows 2.8.0, the files on disk are those of 2.6.0, and torchvision was built for 2.8",
    )


@case(29, "K07", "stray-library-found-first")
def _(w, ok):
    w.venv()
    typeinfo = "_ZTIN2at4TypeE"
    aten = "libATen.so.1"
    w.install(
        w.wheel(
            "torch",
            "0.5.0a0+41c08fe",
            {
                "torch/__init__.py": "from torch import _C\n",
                f"torch/_C{EXT}": So(module="_C", needs=("libcaffe2.so",), rpath=f"{O}/lib"),
                "torch/lib/libcaffe2.so": So("libcaffe2.so", needs=((aten, "_ZN2at4initEv", typeinfo),), rpath=f"{O}:{O}/caffe2"),
                f"torch/lib/caffe2/{aten}": So(aten, defs=("_ZN2at4initEv", typeinfo)),
            },
        )
    )
    if not ok:
        w.put(f"env/lib/python{V}/site-packages/torch/lib/{aten}", So(aten, defs=("_ZN2at4initEv",), text=("0.4.0",)))
    w.fails("import torch", f"undefined symbol: {typeinfo}")
    w.expect(
        ("SO301", "SO205", "SO402"),
        (typeinfo, f"torch/lib/{aten}", "libcaffe2.so"),
        union=True,
        not_codes=("SO101", "SO102"),
        fix=[[f"torch/lib/{aten}"]],
        why="a library of an earlier install, listed by no RECORD, lies where the search looks first; reinstalling does not remove it",
    )


# ------------------------------------------------------------------ K20 stale caches
STALE = ("SO205", "SO301", "SO307", "SO7xx", "SO4xx")


@case(80, "K20", "jit-cache-older-than-its-sources")
def _(w, ok):
    w.venv()
    w.install(
        w.wheel(
            "flashinfer-python",
            "0.6.9",
            {
                "flashinfer/__init__.py": "",
                "flashinfer/data/csrc/comm.cu": "// barrier protocol 2\n",
                "flashinfer/data/include/barrier.cuh": "// 2\n",
            },
        )
    )
    cache = "home/.cache/flashinfer/0.6.9/90a/cached_ops/trtllm_comm"
    protocol = 2 if ok else 1
    w.put(f"{cache}/trtllm_comm.so", So("trtllm_comm.so", defs=(f"barrier_protocol={protocol}",), text=(f"barrier protocol {protocol}",)))
    w.put(f"{cache}/build.ninja", "rule cuda_compile\n")
    site, built = w.site.site, 1_700_000_000
    for p in sorted(site.rglob("*")):  # wheel times of the sources lie before any build; the dist-info is as old as the reinstall
        os.utime(p, (built + 5000, built + 5000) if "dist-info" in str(p) else (1_580_601_600, 1_580_601_600))
    for p in (w.dir / cache).iterdir():
        os.utime(p, (built + 9000, built + 9000) if ok else (built, built))
    w.fails(
        f"import ctypes, os\nassert ctypes.CDLL(os.path.expanduser('~/{cache[5:]}/trtllm_comm.so')).barrier_protocol() == 2, 'kernel of an older build: deadlock'",
        "deadlock",
    )
    w.expect(
        STALE,
        ("cached_ops", "flashinfer"),
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        fix=[["cached_ops"], [".cache/flashinfer"]],
        why="the same version was reinstalled with changed sources; the JIT cache, judged by file times, keeps the object that was built before",
    )


@case(81, "K20", "built-for-the-torch-of-yesterday")
def _(w, ok):
    w.venv()
    new = ("_ZN2at5Graph27v_capture_beginEb", "_ZN3c1019cuda_error_messageEiPKcbb", "_ZN2at4_ops11empty_permuteERKN3c108IntArrayE")
    old = "_ZN3c105ErrorC1ENS_14SourceLocationE"
    w.install(torch(w, "2.7.0" if ok else "2.6.0", None, c10=(old, new[1]) if ok else (old,), cpu=(new[0], new[2]) if ok else ()))
    wheel = w.wheel(
        "flash-attn",
        "2.7.4.post1",
        {
            "flash_attn/__init__.py": "import torch\nimport flash_attn_2_cuda\n",
            f"flash_attn_2_cuda{EXT}": So(module="flash_attn_2_cuda", needs=(("libc10.so", old), "libtorch_cpu.so"), undefs=new),
        },
        ("torch",),
    )
    w.install(
        wheel,
        w.wheel(
            "instructlab-training",
            "0.9.0",
            {"instructlab/training/__init__.py": "import flash_attn\n"},
            ("torch<2.8,>=2.6" if ok else "torch<2.7,>=2.6", "flash-attn"),
        ),
    )
    cache = w.dir / "home/.cache/pip/wheels/5c/e2/08"
    cache.mkdir(parents=True)
    if not ok:
        wheel.write(cache)
    w.fails("import flash_attn", "undefined symbol")
    w.expect(
        ("SO301", "SO307"),
        ("flash-attn", "torch", "2.6.0"),
        [new],
        not_codes=("SO101", "SO102"),
        fix=[["flash-attn"]],
        once=True,
        why="flash-attn was compiled against torch 2.7, then another requirement took torch to 2.6; pip's wheel cache hands the same build out again",
    )


@case(82, "K20", "compiled-bindings-of-an-old-torch")
def _(w, ok):
    w.venv()
    gone = "_ZN5torch3jit17RegisterOperatorsC1EOSt6vectorINS0_8OperatorE"
    w.install(
        torch(
            w,
            "1.5.0+cu101",
            "10.1",
            cpu=(gone,) if ok else (),
            **{
                "bundled": "libcudart-1b201d85.so.10.1",
                "rpath": "",
                "extra": {"torch/lib/libcudart-1b201d85.so.10.1": So("libcudart-1b201d85.so.10.1", defs=("cudaMalloc",))},
            },
        ),
        w.wheel(
            "triton",
            "0.1.2",
            {
                "triton/__init__.py": "import ctypes, glob, os\nimport torch\n\nfor _f in glob.glob(os.path.expanduser('~/.triton/cache/*.so')):\n    ctypes.CDLL(_f)\n"
            },
        ),
    )
    name = "8a5ce3f0d2.so"
    w.put(f"home/.triton/cache/{name}", So(name, needs=("libtorch_cpu.so",), undefs=(gone,)))
    w.fails("import triton", f"undefined symbol: {gone}")
    w.expect(
        STALE,
        (".triton/cache", gone),
        [("libtorch_cpu.so", "torch 1.5.0")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[[".triton"]],
        why="a compiled binding in the user's cache was made for the torch before; it belongs to no distribution, so no reinstall touches it",
    )


# ------------------------------------------------------------------ K21 no version for all
@case(83, "K21", "one-path-two-majors-of-cudnn")
def _(w, ok):
    w.venv()
    eight = nv(w, "cudnn", 12, "8.9.2.26", So("libcudnn.so.8", defs=("cudnnCreate",)))
    w.install(
        cudart(w, 12, "12.1.105"),
        eight if ok else cudnn(w, 12, "9.1.1.17"),
        torch(w, "2.3.1", "12.1", needs=(("libcudnn.so.8", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==8.9.2.26",)),
        w.wheel(
            "jax-cuda12-plugin",
            "0.4.29" if ok else "0.4.33",
            {
                "jax_cuda12_plugin/__init__.py": "from jax_cuda12_plugin import _dnn\n",
                f"jax_cuda12_plugin/_dnn{EXT}": So(
                    module="_dnn", needs=((f"libcudnn.so.{8 if ok else 9}", "cudnnCreate"),), rpath=f"{O}/../nvidia/cudnn/lib"
                ),
            },
            ("nvidia-cudnn-cu12<9.0,>=8.9" if ok else "nvidia-cudnn-cu12<10.0,>=9.1",),
        ),
    )
    w.py("import jax_cuda12_plugin")
    w.fails("import torch", "libcudnn.so.8: cannot open shared object file")
    w.pip_check()
    w.expect(
        ("SO101", "SO304", "SO506"),
        ("libcudnn.so.8", "torch", "nvidia-cudnn-cu12", "8.9.2.26"),
        [("jax-cuda12-plugin",)],
        not_codes=("SO102", "SO201"),
        fix_never=("nvidia-cudnn-cu12==8.9.2.26",),
        why="torch pins cuDNN 8.9, the jax plugin needs 9: one distribution, one path, and no version of it serves both, so the obvious pin is no cure",
    )


@case(84, "K21", "companion-left-behind")
def _(w, ok):
    w.venv()
    v = "0.6.14" if ok else "0.6.11"
    check = (
        "import importlib.metadata as m\n__version__ = m.version('flashinfer-python')\ntry:\n    companion = m.version('flashinfer-jit-cache')\nexcept m.PackageNotFoundError:\n    companion = None\n"
        "if companion not in (None, __version__):\n    raise RuntimeError(f'flashinfer-jit-cache version ({companion}) does not match flashinfer version ({__version__})')\n"
    )
    w.install(
        w.wheel(
            "flashinfer-python",
            "0.6.14",
            {"flashinfer/__init__.py": check, "flashinfer/lib/libflashinfer_rt.so": So("libflashinfer_rt.so", defs=("fi_launch_v4",))},
        ),
        w.wheel(
            "flashinfer-jit-cache",
            v,
            {
                "flashinfer_jit_cache/__init__.py": "",
                "flashinfer_jit_cache/jit_cache/norm/norm.so": So(
                    "norm.so",
                    needs=(("libflashinfer_rt.so", "fi_launch_v4" if ok else "fi_launch_v3"),),
                    rpath=f"{O}/../../../flashinfer/lib",
                ),
            },
        ),
    )
    w.fails("import flashinfer", r"version \(0.6.11\) does not match")
    w.fails(
        "import ctypes, sys\nctypes.CDLL(sys.prefix + f'/lib/python%d.%d/site-packages/flashinfer_jit_cache/jit_cache/norm/norm.so' % sys.version_info[:2])",
        "undefined symbol: fi_launch_v3",
    )
    w.expect(
        ("SO301", "SO307", "SO503"),
        ("fi_launch_v3", "flashinfer-jit-cache", "0.6.11", "libflashinfer_rt.so"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["flashinfer-jit-cache"]],
        why="the optional companion of the old version stayed when the main distribution was upgraded: no METADATA ties the two, a symbol tells",
    )
