# SPDX-License-Identifier: Apache-2.0
"""The process and the machine: K15 driver, K16 GPU architectures, K17 two runtimes in one process, K18 refused by loader or
kernel, K19 damaged or foreign files."""

import os

from kit import EXT, SYSTEM_LIB, case
from objects import So, fatbin
from stack import O, bundled_cudart, cudart, driver, extension, maps, torch

STUB = So("libcuda.so.1", defs=("cuInit=34",), text=("CUDA driver is a stub library",))
CUINIT = "import {0}, ctypes\nr = ctypes.CDLL('libcuda.so.1').cuInit(0)\nassert r == 0, f'CUDA error {{r}}'"
DRIVER = ("SO505", "SO501")


# ------------------------------------------------------------------ K15 driver
def tf_image(w):
    w.install(
        w.wheel(
            "tensorflow-gpu",
            "1.8.0",
            {
                "tensorflow/__init__.py": "from tensorflow.python import _pywrap_tensorflow_internal\n",
                "tensorflow/python/__init__.py": "",
                "tensorflow/python/_pywrap_tensorflow_internal.so": So(
                    module="_pywrap_tensorflow_internal", needs=("libtensorflow_framework.so",), rpath=f"{O}/.."
                ),
                "tensorflow/libtensorflow_framework.so": So("libtensorflow_framework.so", needs=(("libcuda.so.1", "cuInit"),), rpath=O),
            },
        )
    )


@case(61, "K15", "image-started-without-driver")
def _(w, ok):
    w.root()
    tf_image(w)
    w.put("root/usr/local/cuda-9.0/lib64/stubs/libcuda.so", STUB)
    if ok:
        driver(w, "390.48", "Tesla P100-PCIE-16GB", cuda=9010)
    w.ldconfig()
    w.fails("import tensorflow", "libcuda.so.1: cannot open shared object file")
    w.expect(
        (*DRIVER, "SO101"),
        ("libcuda.so.1", "tensorflow"),
        [("driver",)],
        not_codes=("SO102", "SO201"),
        fix_never=("stubs",),
        fix=[["driver"], ["--gpus"], ["nvidia-container"]],
        why="the container was started without the driver's files; no package ships libcuda.so.1, and the toolkit's stub is no cure",
    )


@case(61, "K15", "stub-copied-under-the-run-time-name")
def _(w, ok):
    w.root()
    tf_image(w)
    w.put("root/usr/local/cuda-9.0/lib64/stubs/libcuda.so", STUB)
    driver(w, "390.48", "Tesla P100-PCIE-16GB", cuda=9010)
    if not ok:
        w.put("root/usr/local/cuda-9.0/lib64/libcuda.so.1", STUB)
        w.put("root/etc/ld.so.conf.d/cuda-9-0.conf", "/usr/local/cuda-9.0/lib64\n")
        w.ldconfig()
    w.py("import tensorflow")
    w.fails(CUINIT.format("tensorflow"), "CUDA error 34")
    w.expect(
        (*DRIVER, "SO402", "SO401", "SO403"),
        ("libcuda.so.1", "usr/local/cuda-9.0/lib64"),
        [("stub",)],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["libcuda.so.1"], ["stub"]],
        why="the toolkit's link-time stub was copied as libcuda.so.1 into a folder that comes before the real driver: imports work, the first call returns error 34",
    )


@case(62, "K15", "compat-driver-on-a-newer-host")
def _(w, ok):
    w.root()
    w.install(torch(w, "2.10.0+cu130", "13.0", **bundled_cudart("libcudart-9c1d3e7a.so.13")))
    compat = "580.82.07"
    w.put(
        f"root/usr/local/cuda-13.0/compat/libcuda.so.{compat}",
        So("libcuda.so.1", defs=("cuInit" if ok else "cuInit=803", "cuDriverGetVersion=13000"), text=(f"NVIDIA UNIX x86_64 {compat}",)),
    )
    w.link("root/usr/local/cuda-13.0/compat/libcuda.so.1", f"libcuda.so.{compat}")
    w.put("root/etc/ld.so.conf.d/00-cuda-compat.conf", "/usr/local/cuda-13.0/compat\n")
    driver(w, "570.172.08" if ok else "595.45.04", "NVIDIA H100 80GB HBM3", cuda=12080 if ok else 13020)
    w.fails(CUINIT.format("torch"), "CUDA error 803")
    w.expect(
        ("SO5xx", "SO402", "SO403", "SO405"),
        ("libcuda.so.1", "compat"),
        [("595.45.04", "595")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["compat"]],
        why="the compat libcuda (580) stands first in the loader cache; it serves hosts with an older driver, this one's is newer (595)",
    )


@case(63, "K15", "driver-symbol-linked-directly")
def _(w, ok):
    w.root()
    sym = "cuMemcpyBatchAsync"
    w.install(
        cudart(w, 12),
        torch(w, "2.10.0+cu128", "12.8"),
        extension(
            w,
            "vllm",
            "0.18.1",
            "vllm",
            needs=("libc10.so", "libcuda.so.1"),
            undefs=(sym,),
            module="_C_cache",
            suffix=".abi3.so",
            requires=("torch==2.10.0",),
        ),
    )
    driver(
        w,
        "570.133.20" if ok else "550.163.01",
        "NVIDIA L40S",
        cuda=12080 if ok else 12040,
        symbols=("cuMemAlloc_v2", *((sym,) if ok else ())),
    )
    w.py("import torch")
    w.fails("import vllm", f"undefined symbol: {sym}")
    w.expect(
        ("SO301", "SO501"),
        (sym, "vllm", "libcuda.so.1"),
        [("550.163.01", "550.163", "12.4")],
        not_codes=("SO101", "SO102", "SO505"),
        fix=[["driver"], ["vllm"]],
        why="the wheel links a driver function that came with 12.8; this machine's driver is 550 (CUDA 12.4)",
    )


@case(64, "K15", "no-driver-while-building-an-image")
def _(w, ok):
    w.root()
    dnn = So("libopencv_dnn.so.412", needs=(("libcuda.so.1", "cuInit"),), rpath=O)
    w.install(
        w.wheel(
            "opencv-contrib-python-rolling",
            "4.12.0",
            {
                "cv2/__init__.py": "from .cv2 import *\n",
                f"cv2/cv2{EXT}": So(module="cv2", needs=("libopencv_dnn.so.412",), rpath=f"{O}/lib"),
                "cv2/lib/libopencv_dnn.so.412": dnn,
            },
        )
    )
    if ok:
        w.put(f"root/{SYSTEM_LIB}/nvidia/libcuda.so.1.1", So("libcuda.so.1", defs=("cuInit",), text=("NVIDIA UNIX 540.4.0",)))
        w.put("root/etc/ld.so.conf.d/nvidia-tegra.conf", "/usr/lib/x86_64-linux-gnu/nvidia\n")
    w.ldconfig()
    w.fails("import cv2", "libcuda.so.1: cannot open shared object file")
    w.expect(
        (*DRIVER, "SO101"),
        ("libcuda.so.1", "libopencv_dnn.so.412"),
        [("driver",)],
        exit=(0, 1),
        not_codes=("SO102", "SO201"),
        fix_never=("stubs",),
        fix=[["driver"], ["--gpus"], ["runtime"]],
        why="an OpenCV with CUDA is imported in a build step: the driver's folder is only there when the finished image runs",
    )


# ------------------------------------------------------------------ K16 GPU architectures
@case(65, "K16", "card-newer-than-all-binaries")
def _(w, ok):
    w.root()
    arch = ("sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90") + (("sm_120",) if ok else ())
    w.install(
        torch(
            w,
            "2.7.1+cu128" if ok else "2.5.1+cu121",
            "12.8" if ok else "12.1",
            fatbin=fatbin(*arch),
            **bundled_cudart("libcudart-0b1c2d3e.so.12"),
        ),
        extension(
            w,
            "udf-ext",
            "0.0.0",
            "udf_ext",
            needs=("libc10.so", "libtorch_cuda.so"),
            fatbin=fatbin("sm_86", "sm_89", *(("compute_89",) if ok else ())),
            requires=("torch==2.7.1" if ok else "torch==2.5.1",),
        ),
    )
    driver(w, "575.57.08", "NVIDIA GeForce RTX 5080", cuda=12090)
    w.py("import udf_ext")
    w.expect(
        ("SO502",),
        ("libtorch_cuda.so", "udf"),
        [("sm_90", "sm90", "9.0"), ("sm_120", "12.0", "RTX 5080")],
        exit=(0, 1),
        union=True,
        not_codes=("SO501", "SO101"),
        fix=[["torch"], ["cu128"]],
        why="neither torch nor the extension holds code for compute capability 12.0; another torch would be needed, to which the extension does not fit",
    )


@case(66, "K16", "one-extension-lacks-the-card")
def _(w, ok):
    w.root()
    w.install(
        torch(
            w,
            "1.7.0+cu110",
            "11.0",
            fatbin=fatbin("sm_37", "sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "compute_80"),
            **bundled_cudart("libcudart-3f3c6934.so.11.0"),
        ),
        extension(
            w,
            "mish-cuda",
            "0.0.3",
            "mish_cuda",
            needs=("libc10.so",),
            fatbin=fatbin(*(("sm_52",) if ok else ()), "sm_61", "sm_70", "sm_75"),
            suffix=".so",
        ),
    )
    driver(w, "455.45.01", "GeForce GTX TITAN X", cuda=11010)
    w.py("import mish_cuda")
    w.expect(
        ("SO502",),
        ("mish", "_C.so"),
        [("sm_61", "sm61", "6.1"), ("5.2", "sm_52", "TITAN X")],
        exit=(0, 1),
        not_codes=("SO501", "SO101"),
        fix=[["mish"]],
        once=True,
        why="torch covers this card (code for 5.0 runs on 5.2), the extension's own list does not: the extension is to blame",
    )


# ------------------------------------------------------------------ K17 two runtimes in one process
TWO = ("SO304", "SO305", "SO3xx", "SO106")


def stateful(symbol, value, entry, says, visibility="default"):
    """C: entry() calls symbol() and aborts when another library's answers."""
    return (
        f'#include <stdio.h>\n#include <stdlib.h>\n__attribute__((noinline, visibility("{visibility}"))) int {symbol}(void) {{ return {value}; }}\n'
        f'__attribute__((visibility("default"))) int {entry}(void) {{ if ({symbol}() != {value}) {{ fprintf(stderr, "{says}\\n"); abort(); }} return 0; }}\n'
    )


@case(67, "K17", "llvm-of-tensorflow-serves-triton")
def _(w, ok):
    w.venv()
    sym = "_ZN4llvm2cl13getRegisteredEv"
    w.install(
        w.wheel(
            "tensorflow",
            "2.22.0",
            {
                "tensorflow/__init__.py": "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libtensorflow_cc.so.2'), mode=ctypes.RTLD_GLOBAL)\n",
                "tensorflow/libtensorflow_cc.so.2": So("libtensorflow_cc.so.2", body=stateful(sym, 20, "TF_Version", "tensorflow")),
            },
        ),
        w.wheel(
            "triton",
            "3.8.0",
            {
                "triton/__init__.py": "from triton._C import libtriton\nlibtriton.call()\n",
                "triton/_C/__init__.py": "",
                "triton/_C/libtriton.so": So(
                    module="libtriton",
                    body=stateful(sym, 23, "triton_init", "CommandLine Error: Option registered more than once"),
                    undefs=("triton_init",),
                    flags=("-Wl,-Bsymbolic",) if ok else (),
                ),
            },
        ),
    )
    w.py("import triton, tensorflow")
    w.fails("import tensorflow, triton", "CommandLine Error")
    w.expect(
        TWO,
        (sym, "libtriton.so"),
        [("libtensorflow_cc.so.2", "tensorflow")],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        why="TensorFlow is loaded globally and exposes its LLVM; triton's calls of its own LLVM bind to it. Linked with -Bsymbolic they would not",
    )


@case(68, "K17", "two-libgomp-copies")
def _(w, ok):
    w.venv()
    a, b = "libgomp-24e2ab19.so.1", "libgomp-a34b3233.so.1.0.0"
    body = '__attribute__((visibility("default"))) int omp_get_num_threads(void) { return 4; }\n__attribute__((visibility("default"))) int GOMP_parallel(void) { return 0; }\n'
    f = {
        "sklearn/__init__.py": "from sklearn import _openmp_helpers\n",
        f"sklearn/_openmp_helpers{EXT}": So(
            module="_openmp_helpers", needs=() if ok else ((b, "omp_get_num_threads"),), rpath=f"{O}/../scikit_learn.libs"
        ),
    }
    if not ok:
        f[f"scikit_learn.libs/{b}"] = So(b, body=body)
    w.install(
        torch(w, "2.0.0+cpu", None, cpu_needs=((a, "GOMP_parallel"),), extra={f"torch/lib/{a}": So(a, body=body)}),
        w.wheel("scikit-learn", "1.2.2", f),
    )
    w.py("import torch")
    w.fails("import torch, sklearn\n" + maps(a, b), "all mapped: libgomp")
    w.expect(
        ("SO305", "SO304"),
        (a, b),
        [("scikit-learn", "sklearn"), ("torch",)],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        why="two wheels bundle one OpenMP runtime under two names: each has a thread pool of its own and the process is slow, without an error",
    )


@case(69, "K17", "two-versions-of-hdf5")
def _(w, ok):
    w.venv()
    a, b = "libhdf5-49599f4e.so.103.0.0", "libhdf5-49599f4e.so.103.0.0" if ok else "libhdf5-9ab1c0de.so.100.0.1"

    def hdf5(name, version):
        return So(
            name,
            body=f'__attribute__((visibility("default"))) int H5_version(void) {{ return {version}; }}\n__attribute__((visibility("default"))) int H5Fopen(void) {{ extern int H5_version(void); return H5_version(); }}\n',
            text=(f"HDF5 library version {version}",),
        )

    h5, nc = 1104, 1104 if ok else 1818
    w.install(
        w.wheel(
            "h5py",
            "2.7.0",
            {
                "h5py/__init__.py": "import os, sys\n_f = sys.getdlopenflags()\nsys.setdlopenflags(_f | os.RTLD_GLOBAL)\nfrom h5py import h5\nsys.setdlopenflags(_f)\n",
                f"h5py/h5{EXT}": So(module="h5", needs=((a, "H5Fopen"),), rpath=f"{O}/.libs"),
                f"h5py/.libs/{a}": hdf5(a, h5),
            },
        ),
        w.wheel(
            "netCDF4",
            "1.2.9",
            {
                "netCDF4/__init__.py": f"from netCDF4 import _netCDF4\n\n\ndef Dataset():\n    if _netCDF4.call() != {nc}:\n        raise OSError('NetCDF: HDF error')\n",
                f"netCDF4/_netCDF4{EXT}": So(module="_netCDF4", needs=((b, "H5Fopen"),), rpath=f"{O}/.libs"),
                f"netCDF4/.libs/{b}": hdf5(b, nc),
            },
        ),
    )
    w.py("import netCDF4, h5py\nnetCDF4.Dataset()")
    w.fails("import h5py, netCDF4\nnetCDF4.Dataset()", "NetCDF: HDF error")
    w.expect(
        TWO,
        (a, b),
        [("h5py",), ("netCDF4",)],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        why="both wheels bundle HDF5, of two versions that export the same names; if h5py is imported first its copy answers for the other",
    )


@case(70, "K17", "static-protobuf-against-shared-protobuf")
def _(w, ok):
    w.venv()
    sym = "_ZN6google8protobuf8internal13VerifyVersionEiiPKc"
    says = "libprotobuf FATAL: This program was compiled against version 3.19 of the Protocol Buffer library"
    w.put("opt/protobuf/lib/libprotobuf.so.30", So("libprotobuf.so.30", defs=(f"{sym}=319",)))
    w.vars = {"LD_LIBRARY_PATH": "{case}/opt/protobuf/lib"}
    arrow = f'#include <stdio.h>\n#include <stdlib.h>\nextern int {sym}(void);\n__attribute__((visibility("default"))) int arrow_read(void) {{ if ({sym}() != 319) {{ fprintf(stderr, "{says}\\n"); abort(); }} return 0; }}\n'
    w.install(
        w.wheel(
            "tensorflow",
            "2.4.4",
            {
                "tensorflow/__init__.py": "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libtensorflow_framework.so.2'), mode=ctypes.RTLD_GLOBAL)\n",
                "tensorflow/libtensorflow_framework.so.2": So(
                    "libtensorflow_framework.so.2", body=stateful(sym, 309, "TF_Init", "tensorflow", "hidden" if ok else "default")
                ),
            },
        ),
        w.wheel(
            "pyarrow",
            "6.0.0",
            {
                "pyarrow/__init__.py": "from pyarrow import lib\nlib.call()\n",
                f"pyarrow/lib{EXT}": So(module="lib", needs=(("libarrow.so.600", "arrow_read"),), rpath=O),
                "pyarrow/libarrow.so.600": So("libarrow.so.600", needs=(("libprotobuf.so.30", sym),), body=arrow),
            },
        ),
    )
    w.py("import pyarrow")
    w.fails("import tensorflow, pyarrow", "libprotobuf FATAL")
    w.expect(
        TWO,
        (sym, "libtensorflow_framework.so.2"),
        [("libprotobuf.so.30", "libarrow.so.600")],
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        why="TensorFlow contains protobuf 3.9, exports it and is loaded globally; pyarrow's calls of the shared protobuf 3.19 land in it",
    )


@case(71, "K17", "system-cudart-beside-the-wheels")
def _(w, ok):
    w.root()
    s13, need = "libcudart.so.13", "libcudart.so.12" if ok else "libcudart.so.13"
    w.put(f"root/usr/local/cuda-13.0/targets/x86_64-linux/lib/{s13}", So(s13, defs=(f"cudaMalloc@{s13}",)))
    w.put("root/etc/ld.so.conf.d/cuda-13-0.conf", "/usr/local/cuda-13.0/targets/x86_64-linux/lib\n")
    w.ldconfig()
    w.install(
        cudart(w, 12),
        torch(w, "2.6.0+cu124", "12.4"),
        w.wheel(
            "transformer-engine",
            "1.12.0",
            {
                "transformer_engine/__init__.py": "import torch\nimport ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libtransformer_engine.so'))\n",
                "transformer_engine/libtransformer_engine.so": So("libtransformer_engine.so", needs=((need, f"cudaMalloc@{need}"),)),
            },
            ("torch",),
        ),
    )
    # a tree without /proc: the loader itself is asked, with RTLD_NOLOAD, which of the two are mapped
    w.fails(
        "import os, ctypes, transformer_engine\ndef mapped(n):\n    try:\n        return bool(ctypes.CDLL(n, mode=os.RTLD_NOLOAD | os.RTLD_NOW))\n    except OSError:\n        return False\n"
        "assert not (mapped('libcudart.so.12') and mapped('libcudart.so.13')), 'Multiple libcudart libraries found: libcudart.so.12 and libcudart.so.13'",
        "Multiple libcudart libraries found",
    )
    w.expect(
        ("SO304", "SO506", "SO402"),
        ("libcudart.so.12", s13, "cuda-13.0"),
        [("transformer-engine",)],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["transformer-engine"], ["torch"]],
        why="torch brings the wheel's libcudart.so.12, the other package's library takes libcudart.so.13 from the system's cache: two majors in one process",
    )


# ------------------------------------------------------------------ K18 refused by loader or kernel
REFUSED = ("SO306", "SO1xx", "SO3xx", "SO9xx")


@case(72, "K18", "executable-stack")
def _(w, ok):
    w.venv()
    lib = "libctranslate2-8a6ec9d6.so.4.4.0"
    w.install(
        w.wheel(
            "ctranslate2",
            "4.4.0",
            {
                "ctranslate2/__init__.py": "from ctranslate2 import _ext\n",
                f"ctranslate2/_ext{EXT}": So(module="_ext", needs=((lib, "ctranslate2_init"),), rpath=f"{O}/../ctranslate2.libs"),
                f"ctranslate2.libs/{lib}": So(lib, defs=("ctranslate2_init",), edits=() if ok else ("execstack",)),
            },
        )
    )
    glibc = tuple(int(x) for x in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))
    w.py("import ctranslate2", None if ok or glibc < (2, 41) else "executable stack")
    w.fails(
        "import glob, subprocess, sys\np = glob.glob(sys.prefix + '/lib/python*/site-packages/ctranslate2.libs/*')[0]\n"
        "flags = [l for l in subprocess.check_output(['readelf', '-lW', p], text=True).splitlines() if 'GNU_STACK' in l][0]\n"
        "assert ' RWE ' not in flags, 'asks for an executable stack'\n",
        "asks for an executable stack",
    )
    w.expect(
        REFUSED,
        (lib,),
        [("2.41",), ("executable stack", "execstack", "exec stack", "GNU_STACK")],
        exit=(0, 1),
        level="note",
        fix=[["execstack"], ["ctranslate2"]],
        why="the library asks for an executable stack: this C library grants it, 2.41 and newer refuse",
    )


@case(73, "K18", "segments-not-congruent")
def _(w, ok):
    w.venv()
    lib = "libopenblasp-r0-b0d08c4e.3.9.so"
    blas = So(lib, defs=("cblas_dgemm",), edits=() if ok else ("moved_1k",))
    w.install(
        w.wheel(
            "numpy",
            "1.19.0",
            {
                "numpy/__init__.py": "from numpy.core import _multiarray_umath\n",
                "numpy/core/__init__.py": "",
                f"numpy/core/_multiarray_umath{EXT}": So(
                    module="_multiarray_umath", needs=((lib, "cblas_dgemm"),), rpath=f"{O}/../../numpy.libs"
                ),
                f"numpy.libs/{lib}": blas,
            },
        )
    )
    w.fails("import numpy", "not page-aligned|not properly aligned")
    w.expect(
        REFUSED,
        (lib, "numpy"),
        [("align", "congruent"), ("page", "4096", "0x1000", "4 KiB")],
        not_codes=("SO102",),
        fix=[["numpy"]],
        why="the repair tool moved a load segment by less than a page, so that its address and file offset no longer agree: the loader refuses the file",
    )


@case(74, "K18", "static-tls-used-up-by-earlier-imports")
def _(w, ok):
    w.venv()
    g, arrow = "libgomp-a49a47f9.so.1.0.0", "libarrow.so.1600"
    much = 1300  # fits into the reserve of 1664 bytes, but not after arrow's 480

    def tls(name, size, symbol, model):
        return So(
            name,
            body=f'__attribute__((visibility("hidden"){model})) __thread volatile char block[{size}];\n__attribute__((visibility("default"))) int {symbol}(void) {{ return block[1]; }}',
            flags=("-mtls-dialect=gnu2",),
        )

    initial = ', tls_model("initial-exec")'
    w.install(
        w.wheel(
            "pyarrow",
            "16.1.0",
            {
                "pyarrow/__init__.py": "from pyarrow import lib\n",
                f"pyarrow/lib{EXT}": So(module="lib", needs=((arrow, "arrow_pool"),), rpath=O),
                f"pyarrow/{arrow}": tls(arrow, 480, "arrow_pool", ""),
            },
        ),
        w.wheel(
            "scikit-learn",
            "1.5.1",
            {
                "sklearn/__init__.py": "from sklearn import _openmp_helpers\n",
                f"sklearn/_openmp_helpers{EXT}": So(
                    module="_openmp_helpers", needs=((g, "omp_get_max_threads"),), rpath=f"{O}/../scikit_learn.libs"
                ),
                f"scikit_learn.libs/{g}": tls(g, 64 if ok else much, "omp_get_max_threads", initial),
            },
        ),
    )
    w.py("import sklearn, pyarrow")
    w.fails("import pyarrow, sklearn", "cannot allocate memory in static TLS block")
    w.expect(
        (*REFUSED, "SO106"),
        (g,),
        [("TLS",)],
        exit=(0, 1),
        level="note",
        not_codes=("SO102",),
        fix=[["LD_PRELOAD"], ["GLIBC_TUNABLES"], ["import"]],
        why="a small reserve of static TLS is shared by all libraries that are opened late; pyarrow uses part of it, then scikit-learn's libgomp finds too little; the other order works",
    )


@case(75, "K18", "explain-address-space-limit")
def _(w, ok):
    w.venv()
    lib = "libcaffe2_gpu.so"
    big = So(lib, body='char workspace[700u << 20];\n__attribute__((visibility("default"))) int caffe2_gpu(void) { return workspace[9]; }')
    w.install(
        w.wheel(
            "torch",
            "1.0.0",
            {
                "torch/__init__.py": "from torch import _C\n",
                f"torch/_C{EXT}": So(module="_C", needs=((lib, "caffe2_gpu"),), rpath=f"{O}/lib"),
                f"torch/lib/{lib}": big,
            },
        )
    )
    w.py("import torch")
    if not ok:
        said = w.py("import torch", "failed to map segment from shared object", address_space=512 << 20)
    w.expect(
        REFUSED,
        (lib,),
        [("memory", "RLIMIT_AS", "ulimit", "address space", "noexec")],
        argv=None if ok else w.explain(said),
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102", "SO103", "SO204"),
        fix=[["ulimit"], ["RLIMIT_AS"], ["limit"], ["noexec"]],
        why="the file is sound and maps without a limit; under an address-space limit the kernel refuses the mapping",
    )


# ------------------------------------------------------------------ K19 damaged or foreign files
DAMAGE = ("SO103", "SO306", "SO204", "SO901", "SO1xx", "SO3xx")


@case(76, "K19", "machine-field-is-zero")
def _(w, ok):
    w.venv()
    ext = "sdbus/sd_bus_internals.abi3.so"
    w.install(
        w.wheel(
            "sdbus",
            "0.14.1",
            {
                "sdbus/__init__.py": "from sdbus import sd_bus_internals\n",
                ext: So(module="sd_bus_internals", edits=() if ok else ("machine_none",)),
            },
        )
    )
    w.fails("import sdbus", "sd_bus_internals.abi3.so: cannot open shared object file: No such file or directory")
    w.expect(
        ("SO103", "SO306", "SO901"),
        ("sd_bus_internals.abi3.so", "sdbus"),
        [("machine", "EM_NONE", "architecture")],
        not_codes=("SO101", "SO102", "SO201"),
        fix=[["sdbus"]],
        why="the loader says `No such file` of a file that exists: its header names no machine",
    )


@case(77, "K19", "segment-behind-the-end-of-the-file")
def _(w, ok):
    w.venv()
    lib = "libsecp256k1-3f2a4b71.so.2.1.2"
    w.install(
        w.wheel(
            "coincurve",
            "20.0.0",
            {
                "coincurve/__init__.py": "from coincurve import _libsecp256k1\n",
                f"coincurve/_libsecp256k1{EXT}": So(
                    module="_libsecp256k1", needs=((lib, "secp256k1_context"),), rpath=f"{O}/../coincurve.libs"
                ),
                f"coincurve.libs/{lib}": So(lib, defs=("secp256k1_context",), edits=() if ok else ("past_end",)),
            },
        )
    )
    w.fails("import coincurve", "")
    if not ok and w.truths[-1]["exit"] not in (-7, -11, 1):
        w.problems.append(f"{w.name}: exit {w.truths[-1]['exit']}")
    w.expect(
        DAMAGE,
        (lib, "coincurve"),
        [("end of", "past", "beyond", "truncated", "too short", "outside")],
        not_codes=("SO102", "SO201"),
        fix=[["coincurve"]],
        why="a repair tool wrote a load segment that lies behind the end of the file; the RECORD is true, the file was published so",
    )


for slug, content, text in (
    ("built-for-macos", None, "a file of macOS in a Linux tree"),
    (
        "pointer-file",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 1284096\n",
        "the pointer that Git LFS leaves, instead of the library",
    ),
):

    @case(78, "K19", slug)
    def _(w, ok, content=content, text=text):
        w.venv()
        ext = f"dragnet/dragnet_ext{EXT}"
        w.install(
            w.wheel(
                "dragnet",
                "2.0.4",
                {
                    "dragnet/__init__.py": "from dragnet import dragnet_ext\n",
                    ext: (
                        So(module="dragnet_ext", edits=("macho",) if not ok and content is None else ())
                        if ok or content is None
                        else content
                    ),
                },
            )
        )
        w.fails("import dragnet", "invalid ELF header")
        w.expect(
            ("SO103", "SO306", "SO901"),
            ("dragnet_ext", "dragnet"),
            [("Mach-O", "macOS") if content is None else ("LFS", "text", "not an ELF", "no ELF", "not ELF")],
            not_codes=("SO101", "SO102", "SO201"),
            fix=[["dragnet"]],
            why=f"the extension is {text}, as it was published",
        )


@case(79, "K19", "explain-glibc-binaries-on-musl")
def _(w, ok):
    w.venv()
    lib = "libtorch_python.so"
    w.install(torch(w, "1.13.1+cpu", None))
    w.py("import torch")
    said = (
        "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"/usr/lib/python3/site-packages/torch/__init__.py\", line 202, in <module>\n    from torch._C import *\n"
        f"ImportError: Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by /usr/lib/python3/site-packages/torch/lib/{lib})\n"
        f"Error relocating /usr/lib/python3/site-packages/torch/lib/{lib}: __strdup: symbol not found\n"
    )
    w.expect(
        ("SO103", "SO306", "SO302", "SO1xx", "SO3xx", "SO9xx"),
        ("ld-linux-x86-64.so.2",),
        [("musl", "Alpine")],
        argv=None if ok else w.explain(said),
        exit=(0, 1),
        level="note",
        not_codes=("SO102",),
        why="the text is musl's: a wheel built for glibc was put on a system whose C library is musl",
    )
