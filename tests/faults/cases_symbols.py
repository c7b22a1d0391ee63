# SPDX-License-Identifier: Apache-2.0
"""The library is found and does not fit: K10 symbols of C, K11 symbols of C++, K13 version nodes."""

import re

from kit import EXT, SYSTEM_LIB, Link, Skip, V, case, sh
from objects import So, fatbin
from stack import O, cudart, driver, extension, nccl, nv, torch

SYMBOL = ("SO301", "SO307")
ABI = ("SO301", "SO303", "SO307")
NODE = ("SO302",)


# ------------------------------------------------------------------ K10 symbols of C
@case(40, "K10", "nccl-below-the-pin")
def _(w, ok):
    w.venv()
    w.install(
        cudart(w, 12, "12.1.105"),
        nccl(w, 12, "2.19.3", "ncclCommRegister") if ok else nccl(w, 12, "2.18.1"),
        torch(w, "2.2.1", "12.1", needs=(("libnccl.so.2", "ncclGetUniqueId", "ncclCommRegister"),), requires=("nvidia-nccl-cu12==2.19.3",)),
        w.wheel("vllm-nccl-cu12", "2.18.1.0.4.0", {"vllm_nccl/__init__.py": ""}),
    )
    w.fails("import torch", "undefined symbol: ncclCommRegister")
    w.pip_check()
    w.expect(
        SYMBOL,
        ("ncclCommRegister", "libnccl.so.2", "nvidia-nccl-cu12", "2.18.1", "2.19.3"),
        not_codes=("SO101", "SO102", "SO203"),
        fix=[["nvidia-nccl-cu12"]],
        why="the installed NCCL is older than torch's pin and lacks a symbol that torch uses: the violated pin and the symbol tell the same",
    )


@case(41, "K10", "provider-became-newer-and-dropped-it")
def _(w, ok):
    w.conda()
    it = "iJIT_NotifyEvent"
    v, b = ("2024.0.0", "h9d7f8b4_49658") if ok else ("2024.1.0", "h1d8f3a6_691")
    w.conda_pkg(
        "mkl",
        v,
        b,
        {
            "lib/libmkl_core.so.2": So("libmkl_core.so.2", defs=("mkl_serv_get_version", *((it, "iJIT_IsProfilingActive") if ok else ()))),
            "lib/libmkl_intel_thread.so.2": So("libmkl_intel_thread.so.2", defs=("mkl_blas_dgemm",)),
        },
    )
    t = torch(w, "2.2.2", None, cpu_needs=(("libmkl_core.so.2", "mkl_serv_get_version"), ("libmkl_intel_thread.so.2", "mkl_blas_dgemm")))
    t.files["torch/lib/libtorch_cpu.so"] = w.bytes_of(
        So(
            "libtorch_cpu.so",
            defs=("_ZN2at3cpuEv",),
            needs=(
                ("libc10.so", "_ZN3c104coreEv"),
                ("libmkl_core.so.2", "mkl_serv_get_version"),
                ("libmkl_intel_thread.so.2", "mkl_blas_dgemm"),
            ),
            undefs=(it,),
            rpath=f"{O}:{O}/../../../..",
        )
    )
    w.conda_wheel(t, "py3.11_cpu_0")
    w.fails("import torch", f"libtorch_cpu.so: undefined symbol: {it}")
    w.expect(
        SYMBOL,
        (it, "libtorch_cpu.so"),
        [("mkl", "libmkl_core.so.2")],
        not_codes=("SO101", "SO102"),
        fix=[["mkl"]],
        why="MKL 2024.1 no longer exports a symbol that torch expects from it; nothing in the needed entries says from whom, and the requirement was unpinned",
    )


@case(42, "K10", "definer-came-in-through-another")
def _(w, ok):
    w.venv()
    n = "libnvToolsExt.so.1"
    v = "2.4.1+cu121" if ok else "2.5.1+cu121"
    w.install(
        cudart(w, 12, "12.1.105"),
        nv(w, "nvtx", 12, "12.1.105", So(n, defs=("nvtxRangePushA", "nvtxRangePop"))),
        torch(w, v, "12.1", needs=((n, "nvtxRangePop"),) if ok else (), requires=("nvidia-nvtx-cu12==12.1.105",)),
        extension(w, "tmol", "0.1.11", "tmol", needs=("libtorch_cuda.so", "libc10.so"), undefs=("nvtxRangePushA",), module="_compiled"),
    )
    w.fails("import tmol", "undefined symbol: nvtxRangePushA")
    w.expect(
        SYMBOL,
        ("nvtxRangePushA", "tmol"),
        [(n, "nvidia-nvtx-cu12")],
        not_codes=("SO101", "SO102"),
        fix=[["tmol"], ["torch"], ["LD_PRELOAD"]],
        why="the extension never listed libnvToolsExt itself; it came in through libtorch_cuda, which no longer links it. The library lies on disk, unasked for",
    )


# ------------------------------------------------------------------ K11 symbols of C++
OLD_STRING = "_ZN3c105ErrorC2ENS_14SourceLocationESs"
NEW_STRING = "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"


@case(43, "K11", "label-contradicts-symbols")
def _(w, ok):
    w.venv()
    body = "#include <string>\nnamespace c10 {{ int raise_error(const std::string &what, int line){0} }}\n"
    host = So(
        "libc10.so",
        defs=("_ZN3c104coreEv",),
        rpath=O,
        cxx=True,
        flags=("-D_GLIBCXX_USE_CXX11_ABI=0",),
        body=body.format(" { return what.size() + line; }"),
    )
    ext = So(
        module="flash_attn_2_cuda",
        needs=("libc10.so", "libtorch_cpu.so"),
        cxx=True,
        flags=(f"-D_GLIBCXX_USE_CXX11_ABI={int(not ok)}",),
        body=body.format(";") + "int use(void) { return c10::raise_error(std::string(\"x\"), 1); }\n",
    )
    w.install(
        torch(w, "2.6.0", None, extra={"torch/lib/libc10.so": host}),
        w.wheel(
            "flash-attn",
            "2.8.2+cu12torch2.6cxx11abifalse",
            {"flash_attn/__init__.py": "import torch\nimport flash_attn_2_cuda\n", f"flash_attn_2_cuda{EXT}": ext},
            ("torch",),
            tag=f"{EXT.split('-')[1]}-linux_x86_64",
        ),
    )
    w.fails("import flash_attn", "undefined symbol: _ZN3c1011raise_errorERKNSt7__cxx1112basic_string")
    w.expect(
        ABI,
        ("raise_error", "flash-attn", "libc10.so"),
        [("cxx11", "string")],
        not_codes=("SO101", "SO102"),
        fix=[["flash-attn"]],
        why="the wheel's version says cxx11abifalse, as this torch is; its symbols are of the new string ABI: the label is wrong",
    )


@case(44, "K11", "torch-mismatch-reported-as-missing-gpu")
def _(w, ok):
    w.root()
    new, old = "_ZN3c1013MessageLoggerC1ENS_14SourceLocationEib", "_ZN3c1013MessageLoggerC1EPKciib"
    driver(w, "580.65.06", "NVIDIA H100 80GB HBM3", cuda=13000)
    w.install(
        cudart(w, 12),
        torch(
            w,
            "2.11.0+cu128" if ok else "2.9.1+cu128",
            "12.8",
            c10=(new,) if ok else (old,),
            fatbin=fatbin("sm_80", "sm_90", "sm_100", "compute_100"),
        ),
        w.wheel(
            "sgl-kernel",
            "0.4.1",
            {
                "sgl_kernel/__init__.py": "import torch\ntry:\n    from sgl_kernel.sm90 import common_ops\nexcept ImportError as err:\n    raise ImportError(f'No sgl_kernel wheel for compute capability 90: {err}')\n",
                "sgl_kernel/sm90/__init__.py": "",
                "sgl_kernel/sm90/common_ops.abi3.so": So(module="common_ops", needs=("libc10.so",), undefs=(new,), fatbin=fatbin("sm_90")),
            },
        ),
    )
    w.fails("import sgl_kernel", f"undefined symbol: {new}")
    w.expect(
        ABI,
        ("MessageLogger", "sgl-kernel", "libc10.so"),
        not_codes=("SO502", "SO101", "SO102"),
        fix=[["sgl-kernel"], ["torch"]],
        why="the kernel was built for torch 2.11 and meets 2.9; the wheel does hold code for this GPU, whatever its own text says",
    )


@case(45, "K11", "editable-build-saw-another-torch")
def _(w, ok):
    w.venv()
    base = "_ZN2at6detail21empty_strided_genericEN3c108ArrayRefIlEES3_PNS1_9AllocatorENS1_14DispatchKeySetENS1_10ScalarTypeE"
    more = base + "b"
    w.install(
        torch(w, "2.8.0" if ok else "2.7.1", None, cpu=(more,) if ok else (base,)),
        w.wheel("lmcache", "0.3.4.dev12", {"__editable__.lmcache-0.3.4.dev12.pth": f"{w.dir}/src/LMCache\n"}, ("torch",)),
    )
    w.put("src/LMCache/lmcache/__init__.py", "import torch\nfrom lmcache import c_ops\n")
    w.put(f"src/LMCache/lmcache/c_ops{EXT}", So(module="c_ops", needs=("libc10.so", "libtorch_cpu.so"), undefs=(more,)))
    w.fails("import lmcache", f"undefined symbol: {more}")
    w.expect(
        ABI,
        (more[:40], "lmcache", "libtorch_cpu.so"),
        [("c_ops",)],
        not_codes=("SO101", "SO102"),
        fix=[["lmcache"], ["torch"]],
        why="the extension of an editable install was compiled against torch 2.8, whose function has one parameter more than that of 2.7, which runs",
    )


@case(46, "K11", "torchvision-left-behind-silently")
def _(w, ok):
    w.venv()
    gone = "_ZN3c106detail19maybe_wrap_dim_slowIlEET_S2_S2_b"
    init = "import torch\n_HAS_OPS = False\ntry:\n    from torchvision import _C\n    _HAS_OPS = True\nexcept ImportError:\n    pass\n\n\ndef nms():\n    if not _HAS_OPS:\n        raise RuntimeError('operator torchvision::nms does not exist')\n"
    w.install(
        cudart(w, 12),
        torch(
            w,
            "2.6.0+cu126" if ok else "2.8.0+cu128",
            "12.6" if ok else "12.8",
            c10=(gone,) if ok else ("_ZN3c106detail19maybe_wrap_dim_slowINS_6SymIntEEET_S3_S3_b",),
        ),
        extension(
            w,
            "torchvision",
            "0.21.0",
            "torchvision",
            needs=("libc10.so", "libtorch_cpu.so"),
            undefs=(gone,),
            suffix=".so",
            init=init,
            requires=("torch==2.6.0",),
        ),
    )
    w.py("import torchvision")
    w.fails("import torchvision\ntorchvision.nms()", "operator torchvision::nms does not exist")
    w.pip_check()
    w.expect(
        ABI,
        ("torchvision", gone[:30]),
        [("torchvision/_C",), ("2.6.0", "2.8.0")],
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["torchvision"]],
        why="torch was moved to 2.8 without its companion; torchvision swallows that its native part cannot load, and an operator is missing later",
    )


@case(47, "K11", "pre-release-torch-of-a-vendor")
def _(w, ok):
    w.venv()
    sym = "_ZNK3c1017SymbolicShapeMeta18init_is_contiguousEv"
    w.install(
        torch(w, "2.2.0" if ok else "2.2.0a0+81ea7a4", None, c10=(sym,) if ok else ("_ZNK3c1017SymbolicShapeMeta4initEv",)),
        w.wheel(
            "flash-attn",
            "2.4.2",
            {
                "flash_attn/__init__.py": "import torch\nimport flash_attn_2_cuda\n",
                f"flash_attn_2_cuda{EXT}": So(module="flash_attn_2_cuda", needs=("libc10.so",), undefs=(sym,)),
            },
            ("torch",),
        ),
    )
    w.fails("import flash_attn", f"undefined symbol: {sym}")
    w.expect(
        ABI,
        (sym, "flash-attn", "2.2.0a0+81ea7a4"),
        not_codes=("SO101", "SO102"),
        fix=[["flash-attn"]],
        why="the image's torch calls itself 2.2.0a0: an in-between state, while the wheel targets the released 2.2.0",
    )


# ------------------------------------------------------------------ K13 version nodes
def nodes_here(library):
    """Version nodes that this machine's library defines."""
    return set(
        re.findall(
            r"\b((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)$", sh("objdump", "-p", f"/{SYSTEM_LIB}/{library}").split("Version References")[0], re.M
        )
    )


def newest(nodes, name):
    return max((n for n in nodes if n.startswith(name + "_")), key=lambda n: [int(x) for x in re.findall(r"\d+", n)])


def libstdcxx(*symbols, top, abi=13):
    """A libstdc++.so.6 that defines the nodes up to GLIBCXX_3.4.<top> and CXXABI_1.3.<abi>."""
    nodes = [f"GLIBCXX_3.4.{i}" for i in range(20, top + 1)] + [f"CXXABI_1.3.{i}" for i in range(8, abi + 1)]
    return So("libstdc++.so.6", defs=(*(f"node_{n.replace('.', '_')}@{n}" for n in nodes), *symbols), libc=False)


@case(51, "K13", "wheel-without-a-glibc-tag")
def _(w, ok):
    have = nodes_here("libc.so.6")
    if "GLIBC_2.38" in have:
        raise Skip("the C library here is new enough")
    w.venv()
    use = "sscanf@GLIBC_2.2.5" if ok else "__isoc23_sscanf@GLIBC_2.38"
    w.install(
        torch(w, "2.7.1", None),
        w.wheel(
            "flash-attn",
            "2.8.0+cu12torch2.7cxx11abitrue",
            {
                "flash_attn/__init__.py": "import torch\nimport flash_attn_2_cuda\n",
                f"flash_attn_2_cuda{EXT}": So(module="flash_attn_2_cuda", needs=("libc10.so", ("libc.so.6", use)), libc=False),
            },
            ("torch",),
            tag=f"{EXT.split('-')[1]}-linux_x86_64",
        ),
    )
    w.fails("import flash_attn", "libc.so.6: version `GLIBC_2.38' not found")
    w.expect(
        NODE,
        ("GLIBC_2.38", "flash-attn", "libc.so.6"),
        [(newest(have, "GLIBC").split("_")[1],)],
        not_codes=("SO101", "SO102"),
        once=True,
        fix=[["flash-attn"]],
        why="the wheel was built on a newer system and carries no glibc tag (linux_x86_64), so pip takes it anywhere",
    )


@case(52, "K13", "link-missing-in-the-prefix")
def _(w, ok):
    if "GLIBCXX_3.4.33" in nodes_here("libstdc++.so.6"):
        raise Skip("the system's libstdc++ is new enough")
    w.conda()
    sym = "_ZNSt6__rapids33Ev@GLIBCXX_3.4.33"
    w.conda_pkg(
        "libstdcxx",
        "14.2.0",
        "hc0a3c3a_1",
        {
            "lib/libstdc++.so.6.0.33": libstdcxx(sym, top=33, abi=15),
            "lib/libstdc++.so": Link("libstdc++.so.6.0.33"),
            "lib/libstdc++.so.6": Link("libstdc++.so.6.0.33"),
        },
    )
    if not ok:
        (w.env / "lib/libstdc++.so.6").unlink()
    sp = f"lib/python{V}/site-packages/rmm"
    w.conda_pkg(
        "librmm", "24.10.0", "cuda12_0", {"lib/librmm.so": So("librmm.so", defs=("rmm_alloc",), needs=(("libstdc++.so.6", sym),), rpath=O)}
    )
    w.conda_pkg(
        "rmm",
        "24.10.0",
        "cuda12_py311_0",
        {
            f"{sp}/__init__.py": "from rmm import _lib\n",
            f"{sp}/_lib{EXT}": So(module="_lib", needs=(("librmm.so", "rmm_alloc"),), rpath=f"{O}/../../.."),
        },
    )
    w.fails("import rmm", r"version `GLIBCXX_3.4.33' not found \(required by .*librmm.so\)")
    w.expect(
        (*NODE, "SO104", "SO402", "SO102", "SO204"),
        ("libstdc++.so.6", "libstdc++.so.6.0.33", "lib/x86_64-linux-gnu"),
        [("GLIBCXX_3.4.33", "librmm.so")],
        union=True,
        not_codes=("SO101",),
        fix=[["libstdcxx"], ["libstdc++.so.6"]],
        why="the link libstdc++.so.6 is missing in the prefix; the versioned file is there, but the loader asks for the link's name and takes the older system copy",
    )


@case(53, "K13", "host-program-brought-the-system-copy")
def _(w, ok):
    if "CXXABI_1.3.15" in nodes_here("libstdc++.so.6"):
        raise Skip("the system's libstdc++ is new enough")
    w.conda()
    sym = "_ZNKSt9type_info11__icu_x15Ev@CXXABI_1.3.15"
    w.conda_pkg("libstdcxx", "15.1.0", "h8f9b012_2", {"lib/libstdc++.so.6": libstdcxx(sym, top=33, abi=15)})
    w.conda_pkg(
        "icu",
        "78.1",
        "h33c6efd_0",
        {"lib/libicui18n.so.78": So("libicui18n.so.78", defs=("ucol_open",), needs=(("libstdc++.so.6", sym),), rpath=O)},
    )
    w.install(
        w.wheel(
            "isaacsim-kernel",
            "5.1.0",
            {
                "isaacsim/__init__.py": "from isaacsim import _kit\n",
                f"isaacsim/_kit{EXT}": So(module="_kit", needs=("libstdc++.so.6",), rpath=f"{O}/../../.." if ok else f"/{SYSTEM_LIB}"),
            },
        ),
        w.wheel(
            "pyicu",
            "2.16",
            {
                "icu/__init__.py": "from icu import _icu_\n",
                f"icu/_icu_{EXT}": So(module="_icu_", needs=(("libicui18n.so.78", "ucol_open"),), rpath=f"{O}/../../.."),
            },
        ),
    )
    w.py("import icu, isaacsim")
    w.fails("import isaacsim, icu", r"version `CXXABI_1.3.15' not found \(required by .*libicui18n.so.78\)")
    w.expect(
        (*NODE, "SO106", "SO305", "SO401", "SO402", "SO403"),
        ("libstdc++.so.6", "lib/x86_64-linux-gnu", "isaacsim"),
        [("CXXABI_1.3.15", "libicui18n.so.78")],
        exit=(0, 1),
        level="note",
        union=True,
        not_codes=("SO101", "SO102"),
        why="a program whose RPATH names the system's folder maps the system's libstdc++ first; the environment's own, newer one would serve libicui18n.so.78, in the other order",
    )


@case(54, "K13", "environment-runtime-older-than-system")
def _(w, ok):
    if "GLIBCXX_3.4.29" not in nodes_here("libstdc++.so.6"):
        raise Skip("the system's libstdc++ is older than the case needs")
    w.conda()
    sym = "_ZNSt6__format_fsEv@GLIBCXX_3.4.29"
    w.conda_pkg(
        "libstdcxx-ng",
        "11.2.0" if ok else "9.3.0",
        "he4da1e4_16",
        {
            "lib/libstdc++.so.6.0.29" if ok else "lib/libstdc++.so.6.0.28": libstdcxx(
                *((sym,) if ok else ()), top=29 if ok else 28, abi=13 if ok else 12
            ),
            "lib/libstdc++.so.6": Link("libstdc++.so.6.0.29" if ok else "libstdc++.so.6.0.28"),
        },
    )
    w.install(
        w.wheel(
            "pixel-perfect-sfm",
            "1.0",
            {
                "pixsfm/__init__.py": "from pixsfm import _pixsfm\n",
                f"pixsfm/_pixsfm{EXT}": So(module="_pixsfm", needs=(("libstdc++.so.6", sym),)),
            },
        )
    )
    w.fails("import pixsfm", r"lib/libstdc\+\+.so.6: version `GLIBCXX_3.4.29' not found")
    w.expect(
        NODE,
        ("GLIBCXX_3.4.29", "_pixsfm"),
        [("3.4.28", "6.0.28"), ("lib/libstdc++.so.6",)],
        not_codes=("SO101", "SO102"),
        fix=[["libstdcxx"], ["pixel-perfect-sfm"]],
        why="the module was compiled by the system's compiler and runs with the environment's older C++ runtime, which the interpreter's RPATH brings first",
    )


@case(54, "K13", "link-that-leaves-the-environment")
def _(w, ok):
    w.conda()
    w.conda_pkg(
        "libstdcxx-ng",
        "9.3.0",
        "h2c0c9c5_8",
        {"lib/libstdc++.so.6.0.28": libstdcxx(top=28, abi=12), "lib/libstdc++.so.6": Link("libstdc++.so.6.0.28")},
    )
    if not ok:
        w.link("env/lib/libstdc++.so.6", f"/{SYSTEM_LIB}/libstdc++.so.6")
    w.install(
        w.wheel(
            "pixel-perfect-sfm",
            "1.0",
            {"pixsfm/__init__.py": "from pixsfm import _pixsfm\n", f"pixsfm/_pixsfm{EXT}": So(module="_pixsfm", needs=("libstdc++.so.6",))},
        )
    )
    w.py("import pixsfm")
    w.fails(
        f"import pixsfm\nassert '/{SYSTEM_LIB}/libstdc++' not in open('/proc/self/maps').read(), 'the copy of the system is mapped'",
        "copy of the system is mapped",
    )
    w.expect(
        ("SO402", "SO403", "SO404", "SO204", "SO203", "SO207", "SO104"),
        ("lib/libstdc++.so.6", "lib/x86_64-linux-gnu"),
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102", "SO302"),
        why="the cure of the report: the environment's libstdc++.so.6 is a link to the system's file. It works, and is a fact worth knowing",
    )
