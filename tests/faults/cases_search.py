# SPDX-License-Identifier: Apache-2.0
"""Another copy than meant: K08 by search path, K09 by what is already mapped, K12 members of one family from two versions."""

from kit import EXT, SYSTEM_LIB, V, case
from objects import So
from stack import O, cudart, extension, nv, torch

SHADOWED = ("SO401", "SO402", "SO403")
SHADOWED_SYMBOL = (*SHADOWED, "SO301", "SO302")
ORDER = ("SO106", "SO301", "SO304", "SO305", "SO401", "SO402", "SO307")
FAMILY = ("SO503", "SO401", "SO402")


# ------------------------------------------------------------------ K08 by search path
def nvjitlink(*minors):
    return So("libnvJitLink.so.12", defs=tuple(f"__nvJitLinkAddData_12_{m}@libnvJitLink.so.12" for m in minors))


def cusparse(w, version, minor):
    use = f"__nvJitLinkAddData_12_{minor}@libnvJitLink.so.12"
    return nv(
        w,
        "cusparse",
        12,
        version,
        So("libcusparse.so.12", defs=("cusparseCreate",), needs=(("libnvJitLink.so.12", use),), runpath=f"{O}:{O}/../../nvjitlink/lib"),
        requires=("nvidia-nvjitlink-cu12",),
    )


@case(30, "K08", "toolkit-in-variable-lacks-symbol")
def _(w, ok):
    w.venv()
    w.put("usr/local/cuda-12.0/lib64/libnvJitLink.so.12", nvjitlink(0))
    w.put("opt/openmpi/lib/libmpi.so.40", So("libmpi.so.40"))
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/openmpi/lib" + ("" if ok else ":{case}/usr/local/cuda-12.0/lib64")}
    w.install(
        cudart(w, 12, "12.1.105"),
        nv(w, "nvjitlink", 12, "12.6.85", nvjitlink(0, 1)),
        cusparse(w, "12.1.0.106", 1),
        torch(w, "2.3.0", "12.1", needs=(("libcusparse.so.12", "cusparseCreate"),), requires=("nvidia-cusparse-cu12==12.1.0.106",)),
        w.wheel("infinity-emb", "0.0.66", {"infinity_emb/__init__.py": "import torch\n"}, ("torch",)),
    )
    w.fails("import infinity_emb", "undefined symbol: __nvJitLinkAddData_12_1, version libnvJitLink.so.12")
    w.expect(
        SHADOWED_SYMBOL,
        ("libnvJitLink.so.12", "__nvJitLinkAddData_12_1", "LD_LIBRARY_PATH", "usr/local/cuda-12.0/lib64"),
        [("nvidia-nvjitlink-cu12", "nvidia/nvjitlink/lib")],
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="the variable outranks the RUNPATH of the wheel's libcusparse, and the toolkit's libnvJitLink is older than 12.1",
    )


@case(31, "K08", "cluster-module-two-levels-down")
def _(w, ok):
    w.venv()
    w.put("apps/nvhpc/23.5/cuda/12.1/lib64/libnvJitLink.so.12", nvjitlink(0, 1))
    w.put("apps/nvhpc/23.5/comm/lib/libucp.so.0", So("libucp.so.0"))
    w.vars = {"LD_LIBRARY_PATH": "{case}/apps/nvhpc/23.5/comm/lib" + ("" if ok else ":{case}/apps/nvhpc/23.5/cuda/12.1/lib64")}
    w.install(
        nv(w, "nvjitlink", 12, "12.8.93", nvjitlink(0, 1, 2, 3, 4, 5, 6, 7, 8)),
        cusparse(w, "12.5.8.93", 8),
        w.wheel(
            "jax-cuda12-plugin",
            "0.6.0",
            {
                "jax_cuda12_plugin/__init__.py": "from jax_cuda12_plugin import _versions\n\n\ndef check_cuda_versions():\n    if _versions.call():\n        raise RuntimeError('Unable to load cuSPARSE. Is it installed?')\n",
                f"jax_cuda12_plugin/_versions{EXT}": So(
                    module="_versions", dlopens=("libcusparse.so.12",), entry="cusparse_get_version", rpath=f"{O}/../nvidia/cusparse/lib"
                ),
            },
            ("nvidia-cusparse-cu12>=12.3.1.170",),
        ),
    )
    w.py("import jax_cuda12_plugin")
    w.fails("import jax_cuda12_plugin as j\nj.check_cuda_versions()", "Unable to load cuSPARSE")
    w.expect(
        SHADOWED_SYMBOL,
        ("libnvJitLink.so.12", "libcusparse.so.12", "LD_LIBRARY_PATH", "apps/nvhpc/23.5/cuda/12.1/lib64"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="the plugin reaches libcusparse by RPATH; that one has a RUNPATH, so a cluster module in the variable supplies an old libnvJitLink; the program hides the loader's words",
    )


CUDNN_CHECK = (
    "import ctypes, torch\nv = ctypes.CDLL('libcudnn.so.8').cudnnGetVersion()\n"
    "assert v == {0}, f'cuDNN version incompatibility: PyTorch was compiled against {0} but found runtime version {{v}}'\n"
)


@case(32, "K08", "runpath-build-loses-to-variable")
def _(w, ok):
    w.venv()
    c, rt = "libcudnn.so.8", "libcudart-45da57e3.so.11.0"
    w.put(f"usr/lib/cudnn-8.0/{c}", So(c, defs=("cudnnGetVersion=8003", "cudnnConvolutionForward")))
    w.vars = {"LD_LIBRARY_PATH": "{case}/usr/lib/cudnn-8.0"}
    main = So(
        "libtorch_cuda.so",
        defs=("_ZN2at4cudaEv",),
        needs=("libc10_cuda.so", "libtorch_cpu.so", (c, "cudnnConvolutionForward")),
        **{"rpath" if ok else "runpath": O},
    )
    w.install(
        torch(
            w,
            "1.12.0+cu116",
            "11.6",
            bundled=rt,
            rpath="",
            extra={
                f"torch/lib/{rt}": So(rt, defs=("cudaMalloc",)),
                f"torch/lib/{c}": So(c, defs=("cudnnGetVersion=8302", "cudnnConvolutionForward")),
                "torch/lib/libtorch_cuda.so": main,
            },
        )
    )
    w.fails(CUDNN_CHECK.format(8302), "found runtime version 8003")
    w.expect(
        FAMILY,
        (c, "LD_LIBRARY_PATH", "usr/lib/cudnn-8.0", "libtorch_cuda.so"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="this build carries RUNPATH instead of RPATH, so the variable's older cuDNN wins over the one bundled beside it; with RPATH the same variable is harmless",
    )


@case(33, "K08", "own-runpath-cuts-off-inherited-rpath")
def _(w, ok):
    w.venv()
    lt, b = "libcublasLt.so.12", "libcublas.so.12"
    old, new = f"cublasLtCreate@{lt}", f"cublasLtGroupedMatrixLayoutInit_internal@{lt}"
    w.put(f"usr/local/cuda-12.0/lib64/{lt}", So(lt, defs=(old,)))
    w.put(f"usr/local/cuda-12.0/lib64/{b}", So(b, defs=("cublasCreate_v2",)))
    w.vars = {"LD_LIBRARY_PATH": "{case}/usr/local/cuda-12.0/lib64"}
    w.may_fail = r"nvidia/cublas/lib/libcublas\.so\.12" if ok else None
    w.install(
        nv(
            w,
            "cublas",
            12,
            "12.9.1.4",
            So(b, defs=("cublasCreate_v2",), needs=((lt, old, new),), runpath="" if ok else O),
            So(lt, defs=(old, new)),
        ),
        w.wheel(
            "paddlepaddle-gpu",
            "3.3.0",
            {
                "paddle/__init__.py": "from paddle.base import libpaddle\n",
                "paddle/base/__init__.py": "",
                "paddle/base/libpaddle.so": So(
                    module="libpaddle", needs=((b, "cublasCreate_v2"),), rpath=f"{O}/../libs:{O}/../../nvidia/cublas/lib"
                ),
            },
            ("nvidia-cublas-cu12",),
        ),
    )
    w.fails("import paddle", "cublasLtGroupedMatrixLayoutInit_internal")
    w.expect(
        SHADOWED_SYMBOL,
        (lt, b, "LD_LIBRARY_PATH", "usr/local/cuda-12.0/lib64"),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"], ["LD_PRELOAD"]],
        why="libpaddle's RPATH brings the wheel's libcublas, whose own RUNPATH cuts that RPATH off for its dependency: libcublasLt comes from the variable. Without that RUNPATH the RPATH is inherited",
    )


@case(34, "K08", "activation-script-appends")
def _(w, ok):
    w.conda()
    c = "libcudnn.so.8"
    w.put(f"usr/local/cuda/lib64/{c}", So(c, defs=("cudnnGetVersion=8101",)))
    w.put(
        "env/etc/conda/activate.d/env_vars.sh",
        "export LD_LIBRARY_PATH="
        + ("$CUDNN_PATH/lib:$LD_LIBRARY_PATH\n" if ok else "$LD_LIBRARY_PATH:$CONDA_PREFIX/lib/:$CUDNN_PATH/lib\n"),
    )
    w.vars = {
        "CONDA_PREFIX": "{env}",
        "LD_LIBRARY_PATH": (
            "{site}/nvidia/cudnn/lib:{case}/usr/local/cuda/lib64"
            if ok
            else "{case}/usr/local/cuda/lib64:{env}/lib/:{site}/nvidia/cudnn/lib"
        ),
    }
    w.install(
        nv(w, "cudnn", 11, "8.6.0.163", So(c, defs=("cudnnGetVersion=8600",))),
        w.wheel(
            "tensorflow",
            "2.12.0",
            {
                "tensorflow/__init__.py": "from tensorflow import _pywrap\n\n\ndef conv():\n    if _pywrap.call():\n        raise RuntimeError('DNN library initialization failed')\n",
                f"tensorflow/_pywrap{EXT}": So(
                    module="_pywrap", needs=(("libtensorflow_framework.so.2", "stream_executor_dnn"),), runpath=O
                ),
                "tensorflow/libtensorflow_framework.so.2": So(
                    "libtensorflow_framework.so.2",
                    dlopens=(c,),
                    entry="stream_executor_dnn",
                    style="tf",
                    member="cudnnGetVersion=8600",
                    runpath=O,
                ),
            },
            ("nvidia-cudnn-cu11",),
        ),
    )
    w.fails("import tensorflow\ntensorflow.conv()", "Loaded runtime CuDNN library")
    w.expect(
        FAMILY,
        (c, "LD_LIBRARY_PATH", "usr/local/cuda/lib64"),
        [("nvidia-cudnn-cu11", "nvidia/cudnn/lib")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="the activation script appends the environment's folders behind an older toolkit; the library that opens cuDNN has a RUNPATH, so the interpreter's RPATH does not help",
    )


@case(35, "K08", "profiler-gets-the-toolkit-cupti")
def _(w, ok):
    w.venv()
    s = "libcupti.so.12"
    w.put(f"usr/local/cuda/extras/CUPTI/lib64/{s}", So(s, defs=(f"cuptiSubscribe@{s}", f"cuptiGetVersion@{s}=17"), text=("CUPTI 12.0",)))
    w.put("usr/local/cuda/lib64/libcudart.so.12", So("libcudart.so.12", defs=("cudaMalloc@libcudart.so.12",)))
    if not ok:
        w.vars = {"LD_LIBRARY_PATH": "{case}/usr/local/cuda/lib64:{case}/usr/local/cuda/extras/CUPTI/lib64"}
    w.install(
        cudart(w, 12, "12.1.105"),
        nv(w, "cuda-cupti", 12, "12.1.105", So(s, defs=(f"cuptiSubscribe@{s}", f"cuptiGetVersion@{s}=18"), text=("CUPTI 12.1",))),
        torch(
            w,
            "2.2.0",
            "12.1",
            requires=("nvidia-cuda-cupti-cu12==12.1.105",),
            extra={
                "torch/lib/libkineto.so": So(
                    "libkineto.so",
                    dlopens=(s,),
                    entry="kineto_init",
                    member="cuptiGetVersion=18",
                    runpath=f"{O}/../../nvidia/cuda_cupti/lib",
                )
            },
        ),
    )
    w.py("import torch")
    w.fails(
        "import torch, ctypes\nassert ctypes.CDLL(torch.__path__[0] + '/lib/libkineto.so').kineto_init() == 0, 'CUPTI initialization failed - CUDA profiler activities will be missing'",
        "CUPTI initialization failed",
    )
    w.expect(
        SHADOWED,
        (s, "LD_LIBRARY_PATH", "usr/local/cuda/extras/CUPTI/lib64"),
        [("nvidia-cuda-cupti-cu12", "nvidia/cuda_cupti/lib")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="same soname, same symbols, no loader error: the second entry of the variable replaces the wheel's CUPTI, and the profiler stays silent",
    )


@case(36, "K08", "override-has-no-effect")
def _(w, ok):
    w.venv()
    b = "libcublas.so.9.1"
    for d, v in (("usr/local/cuda-9.1/lib64", 9100), ("opt/cublas-patch-3", 9103)):
        w.put(f"{d}/{b}", So(b, defs=(f"cublasGetVersion={v}",)))
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/cublas-patch-3"}
    search = f"{O}:{O}/lib" if ok else f"{w.dir}/usr/lib/x86_64-linux-gnu:{w.dir}/usr/local/cuda-9.1/lib64:{O}/lib"
    files = {
        "torch/__init__.py": "from torch import _C\n",
        f"torch/_C{EXT}": So(module="_C", needs=((b, "cublasGetVersion"),), rpath=search),
    }
    if ok:
        files[f"torch/lib/{b}"] = So(b, defs=("cublasGetVersion=9103",))
    w.install(w.wheel("torch", "0.5.0a0+b99a1a3", files))
    w.fails(
        "import torch\nassert torch._C.call() == 9103, 'cublas is not the one that LD_LIBRARY_PATH names'",
        "not the one that LD_LIBRARY_PATH names",
    )
    w.expect(
        ("SO403", "SO402", "SO401"),
        (b, "RPATH", "usr/local/cuda-9.1/lib64"),
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        fix=[["LD_PRELOAD"], ["rpath"], ["torch"]],
        why="the build left folders of the system in DT_RPATH, which outranks LD_LIBRARY_PATH, so the user's newer copy is never looked at",
    )


# ------------------------------------------------------------------ K09 by what is already mapped
@case(37, "K09", "torch-first-gives-jax-an-old-cudnn")
def _(w, ok):
    w.venv()
    c, old = "libcudnn.so.8", 8801 if ok else 8700

    def lib(v):
        return So(c, defs=("cudnnCreate", f"cudnnGetVersion={v}"), text=(f"cuDNN {v}",))

    w.install(
        torch(
            w,
            "2.0.1",
            "11.8",
            bundled="libcudart-d0da41ae.so.11.0",
            rpath="",
            needs=((c, "cudnnCreate"),),
            extra={
                "torch/lib/libcudart-d0da41ae.so.11.0": So("libcudart-d0da41ae.so.11.0", defs=("cudaMalloc",)),
                f"torch/lib/{c}": lib(old),
            },
        ),
        nv(w, "cudnn", 11, "8.8.1.3", lib(8801)),
        w.wheel(
            "jaxlib",
            "0.4.23+cuda11.cudnn88",
            {
                "jaxlib/__init__.py": "from jaxlib import xla_extension\n\n\ndef devices():\n    if xla_extension.call() < 8800:\n        raise RuntimeError('Loaded runtime CuDNN library: 8.7.0 but source was compiled with: 8.8.0')\n",
                "jaxlib/xla_extension.so": So(module="xla_extension", needs=((c, "cudnnGetVersion"),), rpath=f"{O}/../nvidia/cudnn/lib"),
            },
            ("nvidia-cudnn-cu11>=8.8",),
        ),
    )
    w.py("import jaxlib\njaxlib.devices()\nimport torch")
    w.fails("import torch\nimport jaxlib\njaxlib.devices()", "Loaded runtime CuDNN library: 8.7.0")
    w.expect(
        ("SO106", "SO304", "SO305", "SO401", "SO402", "SO503"),
        (c, "torch/lib"),
        [("nvidia-cudnn-cu11", "nvidia/cudnn/lib"), ("jaxlib", "jax")],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        fix=[["jax"], ["torch"], ["LD_PRELOAD"]],
        why="two copies of one soname, each reached by its own RPATH: whoever is imported first decides for both, and torch's copy is too old for jax",
    )


@case(38, "K09", "torch-cudart-is-older-than-the-extension-needs")
def _(w, ok):
    w.venv()
    s, new = "libcudart.so.12", "cudaLibraryGetKernel"
    w.put(f"usr/local/cuda-12.8/lib64/{s}", So(s, defs=(f"cudaMalloc@{s}", f"{new}@{s}")))
    w.install(
        cudart(w, 12, "12.8.90", new) if ok else cudart(w, 12, "12.6.77"),
        torch(w, "2.7.1+cu126", "12.6"),
        extension(
            w,
            "deep-gemm",
            "2.0.0+03d0be3",
            "deep_gemm",
            needs=("libc10.so", (s, f"cudaMalloc@{s}", f"{new}@{s}")),
            module="deep_gemm_cpp",
            runpath=str(w.dir / "usr/local/cuda-12.8/lib64"),
        ),
    )
    w.fails("import deep_gemm", f"undefined symbol: {new}, version {s}")
    w.expect(
        ORDER,
        (new, s, "deep-gemm"),
        [("nvidia-cuda-runtime-cu12", "nvidia/cuda_runtime/lib")],
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-cuda-runtime-cu12"], ["LD_PRELOAD"], ["deep-gemm"], ["torch"]],
        why="the extension's own RUNPATH names a libcudart 12.8 that would do, but torch has mapped the wheel's 12.6 under that soname",
    )


def deepmd(w, ok):
    w.venv()
    lt, sym = "libcublasLt.so.11", "cublasLtHSHMatmulAlgoInit"
    full = (f"cublasLtCreate@{lt}", f"{sym}@{lt}")
    w.put(f"usr/local/cuda-11.3/lib64/{lt}", So(lt, defs=full if ok else full[:1]))
    w.vars = {"LD_LIBRARY_PATH": "{case}/usr/local/cuda-11.3/lib64"}
    w.install(
        nv(
            w, "cublas", 11, "11.11.3.6", So("libcublas.so.11", defs=("cublasCreate_v2",), needs=((lt, *full),), rpath=O), So(lt, defs=full)
        ),
        w.wheel(
            "deepmd-kit",
            "2.2.0",
            {
                "deepmd/__init__.py": "from deepmd import op_cpu\nfrom deepmd import op_cuda\n",
                f"deepmd/op_cpu{EXT}": So(module="op_cpu", needs=((lt, full[0]),)),
                f"deepmd/op_cuda{EXT}": So(
                    module="op_cuda", needs=(("libcublas.so.11", "cublasCreate_v2"),), rpath=f"{O}/../nvidia/cublas/lib"
                ),
            },
            ("nvidia-cublas-cu11",),
        ),
    )
    w.py(
        "from ctypes import CDLL\nimport sys, glob\nCDLL(glob.glob(sys.prefix + '/lib/python*/site-packages/nvidia/cublas/lib/libcublas.so.11')[0])"
    )
    w.fails("import deepmd", rf"{sym}, version {lt}")
    return lt, sym


@case(39, "K09", "older-cublaslt-mapped-before")
def _(w, ok):
    lt, sym = deepmd(w, ok)
    w.expect(
        ORDER,
        (sym, lt, "libcublas.so.11", "usr/local/cuda-11.3/lib64"),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"], ["LD_PRELOAD"]],
        why="the first module of the package maps the variable's older libcublasLt; libcublas of the wheel, loaded next, is bound to it although its own RPATH names the right one",
    )


@case(39, "K09", "explain-the-older-wording")
def _(w, ok):
    lt, sym = deepmd(w, ok)
    said = (
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"/opt/app/deepmd/__init__.py\", line 2, in <module>\n    from deepmd import op_cuda\n"
        f"ImportError: /opt/app/deepmd/../nvidia/cublas/lib/libcublas.so.11: symbol {sym}, version {lt} not defined in file {lt} with link time reference\n"
    )
    w.expect(
        ORDER,
        (sym, lt, "libcublas.so.11", "usr/local/cuda-11.3/lib64"),
        argv=None if ok else w.explain(said),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"], ["LD_PRELOAD"]],
        why="the same fault in the words of an older C library: `symbol S, version V not defined in file F with link time reference`",
    )


# ------------------------------------------------------------------ K12 members of one family
SIX = (
    "libcudnn_graph.so.9",
    "libcudnn_ops.so.9",
    "libcudnn_cnn.so.9",
    "libcudnn_adv.so.9",
    "libcudnn_heuristic.so.9",
    "libcudnn_engines_precompiled.so.9",
)


@case(48, "K12", "five-from-pip-one-from-system")
def _(w, ok):
    w.root()

    def member(name, number, **kw):
        return So(name, defs=(f"{name[3:-5]}_version={number}",), text=(f"cuDNN {number}",), runpath=O, **kw)

    last = SIX[-1]
    heuristic = member(SIX[4], 92000, dlopens=(last,), entry="cudnnGetHeuristic", style="cudnn9", member=f"{last[3:-5]}_version=92000")
    parts = [member(n, 92000) for n in SIX[:4]] + [heuristic] + ([member(last, 92000)] if ok else [])
    for n in SIX:
        w.put(f"root/{SYSTEM_LIB}/{n}", member(n, 91900))
    w.ldconfig()
    w.install(
        cudart(w, 12, "12.9.79"),
        nv(w, "cudnn", 12, "9.20.0.48", So("libcudnn.so.9", defs=("cudnnCreate",), runpath=O), *parts),
        torch(w, "2.13.0+cu129", "12.9", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.20.0.48",)),
    )
    w.fails(
        f"import ctypes, torch\nassert ctypes.CDLL(torch.__path__[0] + '/../nvidia/cudnn/lib/{SIX[4]}').cudnnGetHeuristic() == 0",
        "SUBLIBRARY_VERSION_MISMATCH",
    )
    w.expect(
        (*FAMILY, "SO105"),
        (last, "lib/x86_64-linux-gnu"),
        [("nvidia-cudnn-cu12", "nvidia/cudnn/lib")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-cudnn-cu12"], ["libcudnn"]],
        why="five members of cuDNN come from the wheel, the sixth, which the wheel lacks, from the system, of another version",
    )


@case(49, "K12", "mkl-core-and-kernels-apart")
def _(w, ok):
    w.conda()
    sym = "mkl_dft_fft_fix_twiddle_table_32f"
    kernels = ("libmkl_avx2.so", "libmkl_def.so")
    rt = So("libmkl_rt.so", defs=("cblas_dgemm",), needs=("libmkl_core.so",), rpath=O)
    core = So(
        "libmkl_core.so",
        defs=("mkl_serv_malloc", *((sym,) if ok else ())),
        dlopens=kernels,
        entry="mkl_serv_load_dll",
        style="mkl",
        rpath=O,
    )
    w.conda_pkg(
        "mkl",
        "11.3.1",
        "0",
        {
            "lib/libmkl_rt.so": rt,
            "lib/libmkl_core.so": core,
            **{f"lib/{k}": So(k, needs=(("libmkl_core.so", "mkl_serv_malloc"),), rpath=O) for k in kernels},
        },
    )
    if not ok:
        w.install(
            w.wheel(
                "mkl-kernels",
                "11.3.3",
                {f"data:lib/{k}": So(k, needs=(("libmkl_core.so", "mkl_serv_malloc", sym),), rpath=O) for k in kernels},
                tag="py2.py3-none-manylinux1_x86_64",
            )
        )
    sp = f"lib/python{V}/site-packages/numpy"
    w.conda_pkg(
        "numpy",
        "1.10.4",
        "py311_0",
        {
            f"{sp}/__init__.py": "from numpy import multiarray\n",
            f"{sp}/multiarray{EXT}": So(
                module="multiarray", needs=(("libmkl_core.so", "mkl_serv_load_dll"), "libmkl_rt.so"), rpath=f"{O}/../../.."
            ),
        },
    )
    w.py("import numpy")
    w.fails("import numpy\nassert numpy.multiarray.call() == 0", "Intel MKL FATAL ERROR: Cannot load libmkl_avx2.so or libmkl_def.so")
    w.expect(
        ("SO301", "SO307", "SO503", "SO404", "SO105"),
        (sym, "libmkl_avx2.so", "libmkl_core.so"),
        exit=(0, 1),
        union=True,
        not_codes=("SO101", "SO102"),
        fix=[["mkl"]],
        why="the kernel libraries were replaced by those of a newer MKL and need a symbol that the core of the older one lacks; the program's message names neither",
    )


@case(50, "K12", "nvrtc-takes-builtins-of-another-toolkit")
def _(w, ok):
    w.venv()
    b, n = "libnvrtc-builtins.so", "libnvrtc.so.10.2"
    old, new = "{case}/usr/local/cuda-10.2/lib64", "{case}/usr/local/cuda-11.6/lib64"
    w.put(
        f"usr/local/cuda-10.2/lib64/{n}",
        So(n, dlopens=(b,), entry="nvrtcCompileProgram", style="nvrtc", member="nvrtc_builtins_version=1002"),
    )
    w.put(f"usr/local/cuda-10.2/lib64/{b}", So(b, defs=("nvrtc_builtins_version=1002",)))
    w.put(f"usr/local/cuda-11.6/lib64/{b}", So(b, defs=("nvrtc_builtins_version=1106",)))
    w.vars = {"LD_LIBRARY_PATH": f"{old}:{new}" if ok else f"{new}:{old}"}
    w.install(
        w.wheel(
            "cupy-cuda102",
            "12.0.0",
            {
                "cupy/__init__.py": "from cupy import _nvrtc\n\n\ndef compile():\n    if _nvrtc.call():\n        raise RuntimeError('NVRTC_ERROR_COMPILATION')\n",
                f"cupy/_nvrtc{EXT}": So(module="_nvrtc", needs=((n, "nvrtcCompileProgram"),)),
            },
        )
    )
    w.fails("import cupy\ncupy.compile()", "invalid builtins of another version")
    w.expect(
        FAMILY,
        (b, "usr/local/cuda-11.6/lib64", "usr/local/cuda-10.2/lib64"),
        [(n, "cupy-cuda102")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["LD_LIBRARY_PATH"]],
        why="libnvrtc of toolkit 10.2 opens its builtins by the plain name, and toolkit 11.6 stands first in the variable",
    )
