# SPDX-License-Identifier: Apache-2.0
"""Libraries that are not there, or not within reach: K01 no provider, K02 wrong generation, K03 not reachable, K06 incomplete
as published, K14 needed by dlopen only."""

from kit import EXT, PY, SYSTEM_LIB, Skip, V, case, sh
from objects import So
from packages import Site
from stack import (
    GPU_SESSION,
    O,
    ctranslate2,
    cudart,
    cudnn,
    extension,
    maps,
    nccl,
    nv,
    onnxruntime,
    opencv,
    torch,
    torch_init,
    bundled_cudart,
)

MISSING = ("SO101", "SO105")
GENERATION = (*MISSING, "SO304", "SO506")
REACH = (*MISSING, "SO403", "SO401")


# ------------------------------------------------------------------ K01 no provider
@case(1, "K01", "cusparselt-never-asked-for")
def _(w, ok):
    w.venv()
    lt = "libcusparseLt.so.0"
    w.install(
        cudart(w, 12, "12.8.57"),
        cudnn(w, 12, "9.7.1.26"),
        nv(w, "cusparse", 12, "12.5.7.53", "libcusparse.so.12"),
        torch(
            w,
            "2.7.1+cu128",
            "12.8",
            needs=(("libcudnn.so.9", "cudnnCreate"), "libcusparse.so.12", (lt, "cusparseLtInit")),
            requires=("nvidia-cudnn-cu12==9.7.1.26", "nvidia-cusparse-cu12==12.5.7.53"),
        ),
    )
    if ok:
        w.install(nv(w, "cusparselt", 12, "0.6.3", So(lt, defs=("cusparseLtInit",))))
    w.fails("import torch", f"{lt}: cannot open shared object file")
    w.expect(
        MISSING,
        (lt, "torch", "libtorch_cuda.so"),
        not_codes=("SO102", "SO201", "SO203"),
        fix=[["cusparselt"]],
        why="torch needs libcusparseLt.so.0; nothing installed ships it and no METADATA asks for a distribution that does",
    )


@case(2, "K01", "requirement-behind-an-extra")
def _(w, ok):
    w.venv()
    w.install(
        cudart(w, 13),
        nv(w, "cublas", 13, "13.1.0.3", "libcublas.so.13"),
        torch(
            w,
            "2.9.1+cu130",
            "13.0",
            needs=("libcublas.so.13", ("libcudnn.so.9", "cudnnCreate")),
            requires=("nvidia-cublas==13.1.0.3", "nvidia-cuda-runtime==13.0.96", 'nvidia-cudnn-cu13==9.15.1.9; extra == "cuda130"'),
        ),
        w.wheel(
            "sleap-nn", "0.2.0", {"sleap_nn/__init__.py": "import torch\n"}, ("torch>=2.9", 'torchvision; extra == "gpu"'), extras=("gpu",)
        ),
        by="uv",
    )
    if ok:
        w.install(cudnn(w, 13, "9.15.1.9"), by="uv")
    w.fails("import sleap_nn", "libcudnn.so.9: cannot open shared object file")
    w.pip_check()
    w.expect(
        MISSING,
        ("libcudnn.so.9", "torch"),
        [("nvidia-cudnn-cu13", "cuda130")],
        not_codes=("SO102", "SO201"),
        fix=[["nvidia-cudnn-cu13"]],
        why="the distribution that ships libcudnn.so.9 is required only under an extra that nobody selected, so pip check is content",
    )


@case(3, "K01", "opencv-wants-system-libgl")
def _(w, ok):
    w.root()
    w.put(f"root/{SYSTEM_LIB}/libgthread-2.0.so.0", So("libgthread-2.0.so.0"))
    if ok:
        w.put(f"root/{SYSTEM_LIB}/libGL.so.1", So("libGL.so.1", defs=("glFlush",)))
    w.ldconfig()
    w.install(opencv(w, "opencv-python", "4.11.0.86", needs=(("libGL.so.1", "glFlush"), "libgthread-2.0.so.0")))
    w.fails("import cv2", "libGL.so.1: cannot open shared object file")
    w.expect(
        MISSING,
        ("libGL.so.1", "cv2.abi3.so", "opencv-python"),
        not_codes=("SO102", "SO201"),
        fix=[["libgl1"], ["opencv-python-headless"]],
        why="the build with windows needs the operating system's libGL.so.1, which a slim image does not carry",
    )


@case(4, "K01", "provider-upgrade-dropped-the-library")
def _(w, ok):
    w.venv()
    n = "libnvToolsExt.so.1"
    header = {"nvidia/nvtx/include/nvtx3/nvToolsExt.h": "/* header only */\n"}
    w.install(cudart(w, 12, "12.9.79"), nv(w, "nvtx", 12, "12.8.90", So(n, defs=("nvtxMarkA",)), extra=header))
    if not ok:
        w.install(nv(w, "nvtx", 12, "12.9.79", extra=header))
    w.install(torch(w, "2.7.0+git134179", "12.9", needs=((n, "nvtxMarkA"),), requires=("nvidia-nvtx-cu12",)))
    w.fails("import torch", f"{n}: cannot open shared object file")
    w.expect(
        MISSING,
        (n, "nvidia-nvtx-cu12", "libtorch_cuda.so"),
        not_codes=("SO102", "SO201"),
        fix=[["nvidia-nvtx-cu12"], ["torch"]],
        why="nvidia-nvtx-cu12 12.9 is header-only: the release before it shipped libnvToolsExt.so.1, which this torch build still links",
    )


# ------------------------------------------------------------------ K02 wrong generation
@case(5, "K02", "all-modules-of-a-wheel-are-cu13")
def _(w, ok):
    w.venv()
    major = 12 if ok else 13
    modules = ("_C", "_moe_C", "_flashmla_C")
    w.install(
        cudart(w, 12, "12.9.79"),
        torch(w, "2.10.0+cu129", "12.9"),
        w.wheel(
            "vllm",
            "0.20.1",
            {
                "vllm/__init__.py": "import torch\n" + "".join(f"from vllm import {m}\n" for m in modules),
                **{f"vllm/{m}.abi3.so": So(module=m, needs=("libc10.so", f"libcudart.so.{major}")) for m in modules},
            },
            ("torch==2.10.0",),
        ),
    )
    w.fails("import vllm", "libcudart.so.13: cannot open shared object file")
    w.expect(
        GENERATION,
        ("libcudart.so.13", "vllm", "libcudart.so.12"),
        not_codes=("SO102", "SO201"),
        fix=[["vllm"]],
        once=True,
        why="the environment is CUDA 12; the final release of vllm that outranked the cu129 build is a CUDA 13 build in all its modules",
    )


@case(6, "K02", "same-name-and-version-other-build")
def _(w, ok):
    w.venv()
    w.vars = {"LD_LIBRARY_PATH": "{site}/nvidia/cublas/lib:{site}/nvidia/cufft/lib"}
    w.install(
        nv(w, "cublas", 12, "12.4.5.8", "libcublas.so.12", "libcublasLt.so.12"),
        nv(w, "cufft", 12, "11.2.1.3", "libcufft.so.11"),
        onnxruntime(
            w, "onnxruntime-gpu", "1.17.1", needs=("libcublasLt.so.12", "libcufft.so.11") if ok else ("libcublasLt.so.11", "libcufft.so.10")
        ),
    )
    w.py("import onnxruntime\nonnxruntime.InferenceSession('m', providers=['CPUExecutionProvider'])")
    w.fails(GPU_SESSION, "libcublasLt.so.11: cannot open shared object file")
    w.expect(
        GENERATION,
        ("libcublasLt.so.11", "libcufft.so.10", "onnxruntime-gpu"),
        [("libcublasLt.so.12", "libcufft.so.11")],
        exit=(0, 1),
        union=True,
        not_codes=("SO102", "SO201"),
        fix=[["onnxruntime-gpu"]],
        why="two builds of onnxruntime-gpu carry one name and version; this one is the CUDA 11 build, as only its needed names tell",
    )


SGL_INIT = """import torch
try:
    from sgl_kernel import common_ops
except ImportError as err:
    raise ImportError(f'''
[sgl_kernel] CRITICAL: Could not load any common_ops library!

Attempted locations:
1. Architecture-specific pattern: sgl_kernel/sm100/common_ops.*
2. Fallback pattern: sgl_kernel/common_ops.*

GPU Info:
- Compute capability: 100
- Expected variant: SM100 (precise math for compatibility)

Original error: {err}
''')
"""


def sgl_beside_cuda13(w, ok):
    w.venv()
    n = "libnvrtc.so.13" if ok else "libnvrtc.so.12"
    w.install(
        cudart(w, 13),
        nv(w, "cuda-nvrtc", 13, "13.0.88", "libnvrtc.so.13"),
        torch(w, "2.11.0+cu130", "13.0", needs=("libnvrtc.so.13",)),
        extension(
            w,
            "sgl-kernel",
            "0.4.3",
            "sgl_kernel",
            needs=("libc10.so", n),
            module="common_ops",
            suffix=".abi3.so",
            init=SGL_INIT,
            requires=("torch",),
        ),
    )
    return w.fails("import sgl_kernel", "libnvrtc.so.12: cannot open shared object file")


@case(7, "K02", "kernel-wheel-beside-cuda13")
def _(w, ok):
    sgl_beside_cuda13(w, ok)
    w.expect(
        GENERATION,
        ("libnvrtc.so.12", "libnvrtc.so.13", "sgl-kernel"),
        not_codes=("SO102", "SO201"),
        fix=[["sgl-kernel"]],
        why="the kernel wheel is a CUDA 12 build beside a CUDA 13 torch; only libnvrtc.so.13 is there",
    )


@case(7, "K02", "explain-a-wrapped-error")
def _(w, ok):
    said = sgl_beside_cuda13(w, ok)
    w.expect(
        GENERATION,
        ("libnvrtc.so.12", "libnvrtc.so.13", "sgl-kernel"),
        argv=None if ok else w.explain(said),
        not_codes=("SO102", "SO502"),
        fix=[["sgl-kernel"]],
        why="the loader's line stands inside the program's own text, which blames the GPU architecture",
    )


@case(8, "K02", "reinstalled-a-day-later")
def _(w, ok):
    w.venv()
    n = "libcudart.so.11.0" if ok else "libcudart.so.12"
    w.install(
        cudart(w, 11),
        torch(w, "2.0.1", "11.7", requires=("nvidia-cuda-runtime-cu11==11.7.99",)),
        extension(
            w,
            "vllm",
            "0.2.1.post1" if ok else "0.2.2",
            "vllm",
            needs=("libc10.so", n),
            module="cuda_utils",
            requires=("torch>=2.0.0" if ok else "torch>=2.1.0",),
        ),
    )
    w.fails("import vllm", "libcudart.so.12: cannot open shared object file")
    w.pip_check()
    w.expect(
        GENERATION,
        ("libcudart.so.12", "libcudart.so.11.0", "vllm"),
        not_codes=("SO102", "SO201"),
        fix=[["vllm"], ["torch"]],
        why="the new release of vllm was built for CUDA 12.1 and torch 2.1; torch 2.0 with CUDA 11 stayed",
    )


@case(9, "K02", "torch-went-back-to-cu128")
def _(w, ok):
    w.venv()
    thirteen = (cudart(w, 13), nv(w, "cublas", 13, "13.0.2.14", "libcublas.so.13"))
    app = w.wheel(
        "tensorrt-llm",
        "1.2.0rc3",
        {
            "tensorrt_llm/__init__.py": "import torch\nfrom tensorrt_llm import bindings\n",
            f"tensorrt_llm/bindings{EXT}": So(module="bindings", needs=("libtensorrt_llm.so",), rpath=f"{O}/libs"),
            "tensorrt_llm/libs/libtensorrt_llm.so": So(
                "libtensorrt_llm.so",
                needs=("libcublas.so.13", ("libcudart.so.13", "cudaMalloc@libcudart.so.13")),
                rpath=f"{O}/../../nvidia/cu13/lib",
            ),
        },
        ("torch<=2.9.0,>=2.8.0", "nvidia-cublas", "nvidia-cuda-runtime"),
    )
    w.install(*thirteen, torch(w, "2.9.0+cu130", "13.0", requires=("nvidia-cuda-runtime==13.0.96",)), app)
    if not ok:
        w.install(cudart(w, 12), torch(w, "2.9.0", "12.8", requires=("nvidia-cuda-runtime-cu12==12.8.90",)))
    w.fails("import tensorrt_llm\n" + maps("libcudart.so.12", "libcudart.so.13"), "all mapped: libcudart.so.12, libcudart.so.13")
    w.pip_check()
    w.expect(
        ("SO304", "SO506"),
        ("libcudart.so.12", "libcudart.so.13", "tensorrt-llm", "torch"),
        exit=(0, 1),
        not_codes=("SO101", "SO102", "SO201"),
        fix=[["torch"], ["tensorrt-llm"]],
        why="an install brought CUDA 13 libraries and took torch back to cu128: one process now holds both CUDA runtimes",
    )


# ------------------------------------------------------------------ K03 not reachable
@case(10, "K03", "native-toolkit-stops-the-preload")
def _(w, ok):
    w.root(lib64_real=not ok)
    rt, blas, dnn = "libcudart.so.12", "libcublas.so.12", "libcudnn.so.8"
    for n in (So(rt, defs=(f"cudaMalloc@{rt}",)), So(blas)):
        w.put(f"root/usr/local/cuda-12.1/targets/x86_64-linux/lib/{n.soname}", n)
    w.put("root/etc/ld.so.conf.d/cuda-12-1.conf", "/usr/local/cuda-12.1/targets/x86_64-linux/lib\n")
    w.ldconfig()
    w.install(cudart(w, 12, "12.1.105"), nv(w, "cublas", 12, "12.1.3.1", blas), nv(w, "cudnn", 12, "8.9.2.26", dnn))
    t = torch(w, "2.2.1", "12.1", needs=(blas, dnn), global_needs=(rt, blas), requires=("nvidia-cudnn-cu12==8.9.2.26",))
    if ok:
        w.install(t)
    else:
        Site(w.env / f"lib64/python{V}/site-packages", w.env).install(t)
        w.put(f"root/opt/env/lib/python{V}/site-packages/lib64.pth", f"/opt/env/lib64/python{V}/site-packages\n")
    w.fails("import torch", f"{dnn}: cannot open shared object file")
    w.expect(
        REACH,
        (dnn, "nvidia-cudnn-cu12", "nvidia/cudnn/lib", "lib64"),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["torch"], ["venv"], ["lib64"]],
        why="torch lies in lib64 and the nvidia packages in lib, so its relative RPATH misses; the native toolkit satisfies the first dlopen, so torch's preload never runs",
    )


@case(11, "K03", "preload-table-forgets-one")
def _(w, ok):
    w.venv()
    lt, version = "libcusparseLt.so.0", "2.6.0+cu126" if ok else "2.6.0.dev20250102+cu126"
    purelib = w.dir / "vendor/nvidia-wheels"
    purelib.mkdir(parents=True)
    other = Site(purelib, w.dir / "vendor")
    for x in (
        cudart(w, 12, "12.6.77"),
        nv(w, "cublas", 12, "12.6.4.1", "libcublas.so.12"),
        nv(w, "cuda-nvrtc", 12, "12.6.77", "libnvrtc.so.12"),
        nv(w, "cuda-cupti", 12, "12.6.80", "libcupti.so.12"),
        nv(w, "cufft", 12, "11.3.0.4", "libcufft.so.11"),
        nv(w, "curand", 12, "10.3.7.77", "libcurand.so.10"),
        nv(w, "nvjitlink", 12, "12.6.85", "libnvJitLink.so.12"),
        nv(w, "cusparse", 12, "12.5.4.2", "libcusparse.so.12"),
        nv(w, "cusolver", 12, "11.7.1.2", "libcusolver.so.11"),
        cudnn(w, 12, "9.5.1.17"),
        nccl(w, 12, "2.21.5"),
        nv(w, "cusparselt", 12, "0.6.3", lt),
    ):
        other.install(x)
    w.put(f"env/lib/python{V}/site-packages/vendor.pth", str(purelib) + "\n")
    w.install(
        torch(
            w,
            version,
            "12.6",
            needs=("libcublas.so.12", "libcudnn.so.9", "libnccl.so.2", lt),
            init=torch_init("2.6.0", "12.6", not_in_table=() if ok else ("cusparselt",)),
            requires=("nvidia-cusparselt-cu12==0.6.3",),
        )
    )
    w.fails("import torch", f"{lt}: cannot open shared object file")
    w.expect(
        REACH,
        (lt, "nvidia-cusparselt-cu12", "nvidia/cusparselt/lib"),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["torch"], ["nvidia-cusparselt-cu12"]],
        why="the nvidia wheels lie in a second site directory; torch's preload opens all but libcusparseLt, which the table in its __init__.py forgets",
    )


@case(12, "K03", "no-path-to-a-cudnn-part")
def _(w, ok):
    w.venv()
    lib = So(
        "libtransformer_engine.so",
        needs=(("libcudnn.so.9", "cudnnCreate"), "libcudnn_adv.so.9"),
        runpath=f"{O}/../nvidia/cudnn/lib" if ok else "",
    )
    w.install(
        cudart(w, 12, "12.6.77"),
        cudnn(w, 12, "9.5.1.17"),
        torch(w, "2.7.0", "12.6", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.5.1.17",)),
        w.wheel(
            "transformer-engine-torch",
            "2.3.0",
            {
                "transformer_engine/__init__.py": "import torch\nimport ctypes, os\n"
                "ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libtransformer_engine.so'), mode=ctypes.RTLD_GLOBAL)\n",
                "transformer_engine/libtransformer_engine.so": lib,
            },
            ("torch",),
        ),
    )
    w.py("import torch")
    w.fails("import transformer_engine", "libcudnn_adv.so.9: cannot open shared object file")
    w.expect(
        REACH,
        ("libcudnn_adv.so.9", "libtransformer_engine.so", "nvidia/cudnn/lib"),
        [("nvidia-cudnn-cu12",)],
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["LD_PRELOAD"], ["transformer-engine"]],
        why="torch maps libcudnn.so.9 but not its part libcudnn_adv.so.9; the library that needs both carries no search path",
    )


@case(13, "K03", "found-on-path-is-not-found-by-loader")
def _(w, ok):
    w.venv()
    d = f"{{case}}/home/.local/lib/python{V}/site-packages/nvidia/cudnn/lib"
    w.vars = {"LD_LIBRARY_PATH": d} if ok else {"PATH": f"{d}:/usr/bin:/bin"}
    user = w.dir / f"home/.local/lib/python{V}/site-packages"
    user.mkdir(parents=True)
    Site(user, w.dir / "home/.local").install(nv(w, "cudnn", 11, "8.6.0.163", "libcudnn.so.8", "libcudnn_ops_infer.so.8"))
    w.install(
        ctranslate2(w, "3.15.1", ("libcudnn_ops_infer.so.8",), "cudnn8"),
        w.wheel("faster-whisper", "0.6.0", {"faster_whisper/__init__.py": "import ctranslate2\n"}, ("ctranslate2",)),
    )
    w.py("import faster_whisper")
    w.fails("import ctranslate2\nctranslate2.encode()", "Could not load library libcudnn_ops_infer.so.8")
    w.expect(
        REACH,
        ("libcudnn_ops_infer.so.8", "ctranslate2"),
        [("PATH", ".local/lib")],
        exit=(0, 1),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["nvidia-cudnn-cu11"]],
        why="the part lies in the user's site directory, which stands in PATH; the loader reads LD_LIBRARY_PATH, not PATH, and the venv does not see the user site",
    )


@case(14, "K03", "rpath-of-the-build-machine")
def _(w, ok):
    if "libpython" in sh("ldd", PY["exe"]):
        raise Skip("this interpreter is linked with libpython")
    w.root()
    n = f"libpython{V}.so.1.0"
    w.put(f"root/opt/conda/lib/{n}", So(n, defs=("Py_CompileString",)))
    w.install(
        w.wheel(
            "torchmonarch",
            "0.1.0",
            {
                "monarch/__init__.py": "from monarch import _rust_bindings\n",
                "monarch/_rust_bindings.so": So(module="_rust_bindings", needs=() if ok else (n,), runpath="/home/conda/envs/build/lib"),
            },
        )
    )
    w.fails("import monarch", f"{n}: cannot open shared object file")
    w.expect(
        REACH,
        (n, "torchmonarch"),
        [("/home/conda/envs/build/lib", "RUNPATH")],
        not_codes=("SO102", "SO201"),
        fix=[["torchmonarch"], ["LD_LIBRARY_PATH"], ["libpython"]],
        why="the extension is linked with libpython and searches a folder of the machine it was built on",
    )


@case(15, "K03", "tbb-in-the-lib-of-a-venv")
def _(w, ok):
    w.conda() if ok else w.venv()
    w.install(
        w.wheel(
            "tbb",
            "2020.2.254",
            {"data:lib/libtbb.so.2": So("libtbb.so.2", defs=("tbb_start",)), "data:lib/libtbbmalloc.so.2": So("libtbbmalloc.so.2")},
            tag="py2.py3-none-manylinux1_x86_64",
        ),
        w.wheel(
            "numba",
            "0.51.0",
            {
                "numba/__init__.py": "",
                "numba/np/__init__.py": "",
                "numba/np/ufunc/__init__.py": "",
                f"numba/np/ufunc/tbbpool{EXT}": So(module="tbbpool", needs=(("libtbb.so.2", "tbb_start"),)),
            },
        ),
    )
    w.fails("from numba.np.ufunc import tbbpool", "libtbb.so.2: cannot open shared object file")
    w.expect(
        REACH,
        ("libtbb.so.2", "tbbpool", "numba", "lib/libtbb.so.2"),
        exit=(0, 1),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["libtbb"], ["conda"]],
        why="pip puts tbb's library into the environment's lib, which is searched only if the interpreter has an RPATH to it, as conda's has",
    )


# ------------------------------------------------------------------ K06 incomplete as published
ENGINE = "libcudnn_engines_runtime_compiled.so.9"


def cudnn_with_engine(w, version, number, engine):
    """cuDNN whose graph part opens an engine by bare name and compares versions."""
    graph = So(
        "libcudnn_graph.so.9",
        dlopens=(ENGINE,),
        entry="cudnnBackendExecute",
        style="cudnn9",
        member=f"cudnn_engine_version={number}",
        runpath=O,
    )
    parts = [So(ENGINE, defs=(f"cudnn_engine_version={number}",))] if engine else []
    return nv(w, "cudnn", 12, version, So("libcudnn.so.9", defs=("cudnnCreate",), runpath=O), graph, *parts)


CONVOLVE = (
    "import ctypes, glob, os, sys, torch\n"
    "g = [p for d in sys.path for p in glob.glob(os.path.join(d, 'nvidia/cudnn/lib/libcudnn_graph.so.9'))][0]\n"
    "assert ctypes.CDLL(g).cudnnBackendExecute() == 0, 'convolution failed'\n"
)


@case(24, "K06", "engine-left-out-system-copy-serves")
def _(w, ok):
    w.root()
    w.put(f"root/{SYSTEM_LIB}/{ENGINE[:-1]}9.21.1", So(ENGINE, defs=("cudnn_engine_version=92101",)))
    w.ldconfig()
    w.install(
        cudart(w, 12, "12.9.79"),
        cudnn_with_engine(w, "9.20.0.48", 92000, engine=ok),
        torch(w, "2.13.0+cu129", "12.9", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.20.0.48",)),
    )
    w.py("import torch")
    w.fails(CONVOLVE, "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
    w.expect(
        (*MISSING, "SO402", "SO503"),
        (ENGINE, "libcudnn_graph.so.9", "lib/x86_64-linux-gnu"),
        [("nvidia-cudnn-cu12",)],
        exit=(0, 1),
        not_codes=("SO102", "SO201", "SO204"),
        fix=[["nvidia-cudnn-cu12"], ["libcudnn"]],
        why="the wheel never contained the engine that libcudnn_graph opens by name, so the loader falls through to the system's, of another version",
    )


@case(24, "K06", "engine-there-but-variable-wins")
def _(w, ok):
    w.venv()
    w.put(f"opt/cudnn-9.21/lib/{ENGINE}", So(ENGINE, defs=("cudnn_engine_version=92101",)))
    w.put("opt/tools/lib/libtools.so.1", So("libtools.so.1"))
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/tools/lib" if ok else "{case}/opt/cudnn-9.21/lib"}
    w.install(
        cudart(w, 12, "12.9.79"),
        cudnn_with_engine(w, "9.20.0.49", 92000, engine=True),
        torch(w, "2.13.0+cu129", "12.9", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.20.0.49",)),
    )
    w.fails(CONVOLVE, "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
    w.expect(
        ("SO401", "SO503"),
        (ENGINE, "LD_LIBRARY_PATH", "opt/cudnn-9.21/lib"),
        [("nvidia-cudnn-cu12", "nvidia/cudnn/lib")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="the repaired wheel has the engine, yet the variable outranks the RUNPATH of the part that opens it",
    )


@case(25, "K06", "builtins-under-the-plain-name-only")
def _(w, ok):
    w.venv()
    wanted = "libnvrtc-builtins.so.11.1"
    nvrtc = So("libnvrtc.so.11.1", dlopens=(wanted,), entry="nvrtcCompileProgram", style="nvrtc", runpath=O)
    t = bundled_cudart("libcudart-6d56b25a.so.11.0")
    t["extra"].update(
        {"torch/lib/libnvrtc.so.11.1": nvrtc, f"torch/lib/{wanted if ok else 'libnvrtc-builtins.so'}": So("libnvrtc-builtins.so")}
    )
    w.install(torch(w, "1.8.1+cu111", "11.1", **t))
    w.fails(
        "import torch, ctypes\nassert ctypes.CDLL(torch.__path__[0] + '/lib/libnvrtc.so.11.1').nvrtcCompileProgram() == 0",
        f"failed to open {wanted}",
    )
    w.expect(
        MISSING,
        (wanted, "libnvrtc.so.11.1"),
        [(r"re:libnvrtc-builtins\.so(?!\.11)",)],
        exit=(0, 1),
        not_codes=("SO102", "SO201", "SO204"),
        fix=[["libnvrtc-builtins.so.11.1"], ["torch"]],
        why="nvrtc asks for its builtins by a versioned name; the wheel ships them under the plain name only",
    )


@case(26, "K06", "archive-without-one-dependency")
def _(w, ok):
    w.venv()
    sp = f"env/lib/python{V}/site-packages/libtorch/lib"
    shm = "libnvshmem_host.so.3"
    w.put(f"{sp}/libc10.so", So("libc10.so", defs=("c10_core",)))
    w.put(
        f"{sp}/libtorch_nvshmem.so",
        So("libtorch_nvshmem.so", defs=("nvshmem_all_to_all",), needs=(("libc10.so", "c10_core"), (shm, "nvshmemx_init")), runpath=O),
    )
    w.put(f"{sp}/libtorch.so", So("libtorch.so", defs=("torch_main",), needs=("libtorch_nvshmem.so", "libc10.so"), runpath=O))
    if ok:
        w.put(f"{sp}/{shm}", So(shm, defs=("nvshmemx_init",)))
    w.install(
        w.wheel(
            "spike-sorter",
            "0.3",
            {
                "spike_sorter/__init__.py": "from spike_sorter import _native\n",
                f"spike_sorter/_native{EXT}": So(module="_native", needs=(("libtorch.so", "torch_main"),), runpath=f"{O}/../libtorch/lib"),
            },
        )
    )
    w.fails("import spike_sorter", f"{shm}: cannot open shared object file")
    w.expect(
        MISSING,
        (shm, "libtorch_nvshmem.so"),
        not_codes=("SO102", "SO201"),
        once=True,
        fix=[["nvshmem"]],
        why="an archive unpacked by hand, known to no distribution, lacks one library; a single one of its members needs it",
    )


# ------------------------------------------------------------------ K14 needed by dlopen only
@case(55, "K14", "repair-tool-renamed-what-is-dlopened")
def _(w, ok):
    w.venv()
    wanted, disk = "libnvrtc-builtins.so.11.7", "libnvrtc-builtins-7237cb5d.so.11.7"
    nvrtc, front = "libnvrtc-d833c4f3.so.11.2", "libcaffe2_nvrtc.so"
    w.install(
        w.wheel(
            "libtorch-cxx11-deps",
            "1.13.1",
            {
                "libtorch/__init__.py": "from libtorch import jit\n",
                f"libtorch/jit{EXT}": So(module="jit", dlopens=(front,), entry="nvrtc_stub", runpath=f"{O}/../libtorch_cxx11_deps.libs"),
                f"libtorch_cxx11_deps.libs/{front}": So(
                    front,
                    needs=((nvrtc, "nvrtcCompileProgram"),),
                    runpath=O,
                    body='extern int nvrtcCompileProgram(void); __attribute__((visibility("default"))) int compile(void) { return nvrtcCompileProgram(); }',
                ),
                f"libtorch_cxx11_deps.libs/{nvrtc}": So(nvrtc, dlopens=(wanted,), entry="nvrtcCompileProgram", style="nvrtc", runpath=O),
                f"libtorch_cxx11_deps.libs/{wanted if ok else disk}": So(disk),
            },
        )
    )
    w.py("import libtorch\nassert libtorch.jit.call() == 0")
    w.fails(
        "import libtorch, ctypes\nassert ctypes.CDLL(libtorch.__path__[0] + '_cxx11_deps.libs/libcaffe2_nvrtc.so').compile() == 0",
        f"failed to open {wanted}",
    )
    w.expect(
        MISSING,
        (wanted, nvrtc, disk),
        exit=(0, 1),
        not_codes=("SO102", "SO201", "SO204"),
        fix=[["libnvrtc-builtins"], ["libtorch-cxx11-deps"]],
        why="the repair tool gave the builtins a name with a hash; the string by which nvrtc opens them was not rewritten",
    )


@case(56, "K14", "link-name-of-the-driver")
def _(w, ok):
    if sh("gcc", "-print-file-name=libcuda.so").strip() != "libcuda.so":
        raise Skip("this machine has the link name of the driver")
    w.venv()
    w.put("opt/driver/lib/libcuda.so.1", So("libcuda.so.1", defs=("cuInit",)))
    if ok:
        w.link("opt/driver/lib/libcuda.so", "libcuda.so.1")
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/driver/lib"}
    build = (
        "import os\nimport subprocess\nimport tempfile\n\n\ndef libcuda_dirs():\n    dirs = os.environ.get('LD_LIBRARY_PATH', '').split(':')\n"
        "    return [d for d in dirs if os.path.exists(os.path.join(d, 'libcuda.so'))]\n\n\ndef build(src):\n    with tempfile.TemporaryDirectory() as tmp:\n"
        "        subprocess.run(['gcc', '-x', 'c', '-shared', '-fPIC', '-o', tmp + '/launcher.so', '-', *['-L' + d for d in libcuda_dirs()], '-lcuda'], input=src, text=True, check=True)\n"
    )
    w.install(
        w.wheel(
            "triton",
            "2.0.0.post1",
            {
                "triton/__init__.py": "from triton._C import libtriton\n",
                "triton/_C/__init__.py": "",
                "triton/_C/libtriton.so": So(module="libtriton"),
                "triton/compiler.py": build,
            },
        )
    )
    w.py("import triton, ctypes\nctypes.CDLL('libcuda.so.1')")
    w.fails("from triton import compiler\ncompiler.build('int f;')", "cannot find -lcuda")
    w.expect(
        ("SO101", "SO104", "SO105", "SO505", "SO902"),
        ("triton", r"re:libcuda\.so(?![.\w])|-lcuda"),
        exit=(0, 1),
        level="note",
        not_codes=("SO102",),
        fix=[["libcuda.so"], ["triton"]],
        why="libcuda.so.1, the run-time name, is there; triton's kernel build looks for the link name libcuda.so",
    )


@case(57, "K14", "variant-built-with-newer-headers")
def _(w, ok):
    w.venv()
    fn = "av_channel_layout_default"
    w.put("opt/ffmpeg-4/lib/libavutil.so.56", So("libavutil.so.56", defs=("av_malloc",)))
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/ffmpeg-4/lib"}
    versions = {"4": "56", "5": "57", "6": "58", "7": "59"}
    init = (
        "import ctypes, os\n\n_said = []\nfor _n in (7, 6, 5, 4):\n    try:\n        ctypes.CDLL(os.path.join(os.path.dirname(__file__), f'libtorchcodec_decoder{_n}.so'))\n        break\n"
        "    except OSError as err:\n        _said.append(f'FFmpeg version {_n}: {err}')\nelse:\n    raise RuntimeError('Could not load libtorchcodec.\\n' + '\\n'.join(_said))\n"
    )
    w.install(
        w.wheel(
            "torchcodec",
            "0.5.0a0",
            {
                "torchcodec/__init__.py": init,
                **{
                    f"torchcodec/libtorchcodec_decoder{n}.so": So(
                        f"libtorchcodec_decoder{n}.so", needs=((f"libavutil.so.{v}", "av_malloc"),), undefs=() if ok and n == "4" else (fn,)
                    )
                    for n, v in versions.items()
                },
            },
        )
    )
    w.may_fail = r"libtorchcodec_decoder[567]\.so"
    w.fails("import torchcodec", rf"libtorchcodec_decoder4.so: undefined symbol: {fn}")
    w.expect(
        ("SO301", "SO307"),
        (fn, "libtorchcodec_decoder4.so", "libavutil.so.56"),
        not_codes=("SO102",),
        fix=[["torchcodec"]],
        why="the variant for ffmpeg 4 was compiled with the headers of a newer one and uses a function that libavutil.so.56 lacks; the three other variants are expected to fail here",
    )


@case(58, "K14", "both-cudart-majors-answer")
def _(w, ok):
    w.venv()
    w.vars = {"LD_LIBRARY_PATH": "{site}/nvidia/cuda_runtime/lib" + ("" if ok else ":{site}/nvidia/cu13/lib")}
    shim = So(
        module="_compiled_module",
        body="""#include <dlfcn.h>
static const char *const names[] = {"libcudart.so.12", "libcudart.so.13"};
int cudart_shim(void) { int n = 0; for (int i = 0; i < 2; i++) n += dlopen(names[i], RTLD_NOW) != 0; return n; }""",
        undefs=("cudart_shim",),
    )
    w.install(
        cudart(w, 12, "12.9.79"),
        cudart(w, 13),
        w.wheel(
            "nvidia-cudnn-frontend",
            "1.19.0",
            {
                "cudnn/__init__.py": "from cudnn import _compiled_module\nif _compiled_module.call() != 1:\n    raise RuntimeError('Multiple libcudart libraries found')\n",
                f"cudnn/_compiled_module{EXT}": shim,
            },
        ),
    )
    w.fails("import cudnn", "Multiple libcudart libraries found")
    w.expect(
        (*GENERATION, "SO401"),
        ("libcudart.so.12", "libcudart.so.13"),
        [("nvidia-cudnn-frontend", "_compiled_module")],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"], ["nvidia-cuda-runtime"]],
        why="the shim opens libcudart.so.12 and .13 by name and refuses to go on if both answer; a stray CUDA 13 runtime stands in LD_LIBRARY_PATH",
    )


@case(59, "K14", "one-of-eight-names-unnamed")
def _(w, ok):
    w.venv()
    names = (
        "libcudart.so.11.0",
        "libcublas.so.11",
        "libcublasLt.so.11",
        "libcufft.so.10",
        "libcurand.so.10",
        "libcusolver.so.11",
        "libcusparse.so.11",
        "libcudnn.so.8",
    )
    for n in names[:-1]:
        w.put(f"apps/cuda/11.8.0/lib64/{n}", So(n))
    w.put("apps/cudnn/8.6.0/lib/libcudnn.so.8", So("libcudnn.so.8"))
    w.vars = {"LD_LIBRARY_PATH": "{case}/apps/cuda/11.8.0/lib64" + (":{case}/apps/cudnn/8.6.0/lib" if ok else "")}
    loop = "".join(f'  n += dlopen("{n}", RTLD_NOW) == 0;\n' for n in names)
    w.install(
        w.wheel(
            "tensorflow",
            "2.14.0",
            {
                "tensorflow/__init__.py": "from tensorflow import _pywrap_tf\n\n\ndef list_gpus():\n    if _pywrap_tf.call():\n        raise RuntimeError('Cannot dlopen some GPU libraries. Skipping registering GPU devices...')\n",
                f"tensorflow/_pywrap_tf{EXT}": So(
                    module="_pywrap_tf", needs=(("libtensorflow_framework.so.2", "MaybeTryDlopenGPULibraries"),), runpath=O
                ),
                "tensorflow/libtensorflow_framework.so.2": So(
                    "libtensorflow_framework.so.2",
                    body=f'#include <dlfcn.h>\n__attribute__((visibility("default"))) int MaybeTryDlopenGPULibraries(void) {{ int n = 0;\n{loop}  return n; }}',
                ),
            },
        )
    )
    w.py("import tensorflow")
    w.fails("import tensorflow\ntensorflow.list_gpus()", "Cannot dlopen some GPU libraries")
    w.expect(
        REACH,
        ("libcudnn.so.8", "tensorflow"),
        [("libtensorflow_framework.so.2",)],
        exit=(0, 1),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"], ["cudnn"]],
        why="of eight libraries that TensorFlow opens by name one is out of reach; its message names none",
    )


@case(60, "K14", "variable-names-a-file")
def _(w, ok):
    w.venv()
    d = "usr/local/cuda-11.7/lib64"
    w.put(f"{d}/libcudart.so.11.0", So("libcudart.so.11.0"))
    w.vars = {"LD_LIBRARY_PATH": f"{{case}}/{d}" + ("" if ok else "/libcudart.so.11.0:{case}/usr/local/cuda-11.8/lib64")}
    w.install(
        w.wheel(
            "bitsandbytes",
            "0.37.0",
            {
                "bitsandbytes/__init__.py": "import ctypes, os\nlib = ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libbitsandbytes_cuda117.so'))\n",
                "bitsandbytes/libbitsandbytes_cuda117.so": So("libbitsandbytes_cuda117.so", needs=("libcudart.so.11.0",)),
                "bitsandbytes/libbitsandbytes_cpu.so": So("libbitsandbytes_cpu.so"),
            },
        )
    )
    w.fails("import bitsandbytes", "libcudart.so.11.0: cannot open shared object file")
    w.expect(
        (*REACH, "SO402"),
        ("libcudart.so.11.0", "bitsandbytes", "LD_LIBRARY_PATH"),
        [(f"{d}/libcudart.so.11.0",)],
        exit=(0, 1),
        not_codes=("SO102", "SO201"),
        fix=[["LD_LIBRARY_PATH"]],
        why="LD_LIBRARY_PATH lists the library file itself and a folder that does not exist; entries must be folders",
    )
