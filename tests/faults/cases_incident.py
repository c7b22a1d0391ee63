# SPDX-License-Identifier: Apache-2.0
"""The incident family (kind X): cu12 and cu13 wheels of cudnn, cusparselt, nccl and nvshmem that write the same paths. Contested, gutted
and metadata-only told apart; load-bearing and inert; repairs in the right and the wrong order."""

from kit import V, case
from objects import So
from stack import O, cudart, cudnn, nccl, nv, torch
from cases_ownership import CONTESTED

FOUR = {"cudnn": "libcudnn.so.9", "cusparselt": "libcusparseLt.so.0", "nccl": "libnccl.so.2", "nvshmem": "libnvshmem_host.so.3"}
VERSIONS = {12: ("9.10.2.21", "0.7.1", "2.27.5", "3.3.20"), 13: ("9.13.0.50", "0.8.0", "2.28.9", "3.4.5")}
PATHS = tuple(f"nvidia/{p}/lib/{n}" for p, n in FOUR.items())
CU12, CU13 = (tuple(f"nvidia-{p}-cu{c}" for p in FOUR) for c in (12, 13))
INERT = ("nvidia-cublas", "nvidia-cuda-runtime", "nvidia-cuda-nvrtc", "nvidia-cufft", "nvidia-curand", "nvidia-nvjitlink")


def shared_four(w, cu):
    """The four wheels whose paths do not tell their CUDA. The cu13 cuDNN looks for libcublasLt.so.13 when it is first used."""
    d, s, n, h = VERSIONS[cu]
    part = So(
        "libcudnn_ops.so.9",
        dlopens=(f"libcublasLt.so.{cu}",),
        entry="cudnnOpsInit",
        style="cudnn9",
        runpath=f"{O}:{O}/../../cublas/lib:{O}/../../cu13/lib",
        text=(f"cuDNN {d} for CUDA {cu}",),
    )
    return [
        nv(w, "cudnn", cu, d, So("libcudnn.so.9", defs=("cudnnCreate",), text=(f"cuDNN {d} for CUDA {cu}",), runpath=O), part),
        nv(w, "cusparselt", cu, s, So("libcusparseLt.so.0", defs=("cusparseLtInit",), text=(f"cuSPARSELt {s} for CUDA {cu}",))),
        nccl(w, cu, n),
        nv(w, "nvshmem", cu, h, So("libnvshmem_host.so.3", defs=("nvshmemx_init",), text=(f"NVSHMEM {h} for CUDA {cu}",))),
    ]


def clean(w, by="pip"):
    """torch for CUDA 12 with what it requires."""
    w.venv()
    w.install(
        cudart(w, 12),
        nv(w, "cublas", 12, "12.8.4.1", "libcublas.so.12", "libcublasLt.so.12"),
        *shared_four(w, 12),
        torch(
            w,
            "2.9.1+cu128",
            "12.8",
            needs=(
                "libcublas.so.12",
                ("libcudnn.so.9", "cudnnCreate"),
                ("libcusparseLt.so.0", "cusparseLtInit"),
                ("libnccl.so.2", "ncclGetUniqueId"),
                ("libnvshmem_host.so.3", "nvshmemx_init"),
            ),
            requires=tuple(f"{p}=={v}" for p, v in zip(CU12, VERSIONS[12])),
        ),
        by=by,
    )


def leftovers(w):
    """CUDA 13 toolkit parts, which have a folder of their own that nothing of torch's cu128 build searches."""
    libs = (
        nv(w, "cublas", 13, "13.1.0.3", "libcublas.so.13", "libcublasLt.so.13"),
        cudart(w, 13),
        nv(w, "cuda-nvrtc", 13, "13.0.88", "libnvrtc.so.13"),
        nv(w, "cufft", 13, "12.0.0.61", "libcufft.so.12"),
        nv(w, "curand", 13, "10.4.0.35", "libcurand.so.10"),
        nv(w, "nvjitlink", 13, "13.0.88", "libnvJitLink.so.13"),
    )
    w.install(*libs)


def bytes_are(w, cu):
    """Python that fails unless the bytes under the four paths are those of that CUDA."""
    return f"import torch\nfor p in {PATHS!r}:\n    assert b'CUDA {cu}' in open(torch.__path__[0] + '/../' + p, 'rb').read() or 'nccl' in p, p\n"


@case(0, "X", "01-contested-all-four")
def _(w, ok):
    clean(w)
    if not ok:
        w.install(*shared_four(w, 13))
    w.py(bytes_are(w, 12 if ok else 13))
    w.pip_check()
    w.expect(
        CONTESTED,
        (*PATHS, *CU12, *CU13),
        union=True,
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[list(CU12)],
        why="import torch works, on the bytes of the four cu13 wheels, which were written over those of the cu12 ones",
    )


@case(0, "X", "02-gutted-by-pip-folders-remain")
def _(w, ok):
    clean(w)
    w.install(*shared_four(w, 13))
    w.uninstall(*CU13)
    if ok:
        w.install(*shared_four(w, 12))
    elif not (w.site.site / "nvidia/nccl").is_dir():
        w.problems.append("pip leaves the empty folder nvidia/nccl behind")
    w.fails("import torch", "libcudnn.so.9: cannot open shared object file")
    w.pip_check()
    w.expect(
        ("SO102",),
        (*FOUR.values(), *CU12),
        not_codes=("SO101", "SO201"),
        fix=[["reinstall", *CU12]],
        once=True,
        why="the cu13 wheels were uninstalled and took the four libraries; Python names one, four are gone; empty folders are left and prove nothing",
    )


@case(0, "X", "03-gutted-by-uv-folders-gone")
def _(w, ok):
    clean(w, by="uv")
    w.install(*shared_four(w, 13), by="uv")
    w.uninstall(*CU13, by="uv")
    if ok:
        w.install(*shared_four(w, 12), by="uv")
    elif (w.site.site / "nvidia/nccl").exists():
        w.problems.append("uv removes the empty folder nvidia/nccl")
    w.fails("import torch", "libcudnn.so.9: cannot open shared object file")
    w.expect(
        ("SO102",),
        (*FOUR.values(), *CU12),
        not_codes=("SO101", "SO201"),
        fix=[["uv", "reinstall", *CU12]],
        once=True,
        why="the same by uv, which removes empty folders too; the mend must be uv's, for uv owns this environment",
    )


@case(0, "X", "04-wrong-packages-put-back")
def _(w, ok):
    clean(w)
    w.install(*shared_four(w, 13))
    w.uninstall(*CU13)
    w.install(*shared_four(w, 12 if ok else 13))
    w.py(bytes_are(w, 12 if ok else 13))
    w.fails(
        "import ctypes, torch\nassert ctypes.CDLL(torch.__path__[0] + '/../nvidia/cudnn/lib/libcudnn_ops.so.9').cudnnOpsInit() == 0",
        "libcublasLt.so.13",
    )
    w.expect(
        CONTESTED,
        (*PATHS, *CU12, *CU13),
        union=True,
        exit=(0, 1),
        not_codes=("SO102",),
        fix=[list(CU12)],
        also=[{"codes_any": [*CONTESTED, "SO105", "SO506", "SO304"], "mentions_all": ["libcublasLt.so.13"], "level": "note"}],
        why="the four rounds of the report ended with the cu13 wheels put back: it imports, on CUDA 13 bytes, and cuDNN now looks for libcublasLt.so.13, which is not there",
    )


@case(0, "X", "05-partly-gutted")
def _(w, ok):
    w.venv()
    eight = ("ops", "cnn", "adv", "graph", "heuristic", "engines_precompiled", "engines_runtime_compiled")
    full = cudnn(w, 12, "9.10.2.21", parts=eight)
    small = nv(
        w,
        "cudnn-frontend-libs",
        12,
        "1.0.0",
        extra={
            f"nvidia/cudnn/lib/libcudnn_{p}.so.9": So(f"libcudnn_{p}.so.9", text=("copied",), runpath=O)
            for p in ("adv", "heuristic", "cnn")
        },
    )
    w.install(
        cudart(w, 12),
        full,
        torch(w, "2.9.1+cu128", "12.8", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.10.2.21",)),
        small,
    )
    w.uninstall("nvidia-cudnn-frontend-libs-cu12")
    if ok:
        w.install(full)
    w.py("import torch")
    w.fails(
        "import ctypes, torch\nctypes.CDLL(torch.__path__[0] + '/../nvidia/cudnn/lib/libcudnn_adv.so.9')",
        "libcudnn_adv.so.9: cannot open shared object file",
    )
    w.expect(
        ("SO102", "SO204"),
        ("libcudnn_adv.so.9", "libcudnn_heuristic.so.9", "libcudnn_cnn.so.9", "nvidia-cudnn-cu12"),
        exit=(0, 1),
        not_codes=("SO101", "SO201"),
        fix=[["reinstall", "nvidia-cudnn-cu12"]],
        once=True,
        why="three of eight members of one distribution are gone; import still works, the first use of one of them will not",
    )


@case(0, "X", "06-plan-ten-at-once")
def _(w, ok):
    clean(w)
    w.install(*shared_four(w, 13))
    leftovers(w)
    w.may_differ = r"^nvidia/"  # contested in both worlds; the healthy one removes what is inert and nothing else
    argv = w.plan_uninstall(*(INERT if ok else (*CU13, *INERT)))
    w.after("import torch", "libcudnn.so.9: cannot open shared object file")
    w.expect(
        ("SO601", "SO603"),
        (*FOUR.values(), *CU12),
        argv=argv,
        union=True,
        not_codes=("SO102",),
        why="of ten packages to be removed four would take a library that torch loads; the six others are inert and may go",
    )


@case(0, "X", "07-three-owners-of-one-path")
def _(w, ok):
    w.venv()
    same = So("libnccl.so.2", defs=("ncclGetUniqueId",), text=("NCCL version 2.27.5",))
    three = [
        nv(w, "nccl", cu, v, same if ok else So("libnccl.so.2", defs=("ncclGetUniqueId",), text=(f"NCCL version {v}",)))
        for cu, v in ((12, "2.27.5"), (11, "2.21.5"), (13, "2.28.9"))
    ]
    w.install(
        cudart(w, 12),
        *three,
        torch(w, "2.9.1+cu128", "12.8", needs=(("libnccl.so.2", "ncclGetUniqueId"),), requires=("nvidia-nccl-cu12==2.27.5",)),
    )
    w.py("import torch")
    w.expect(
        CONTESTED,
        ("nvidia/nccl/lib/libnccl.so.2", "nvidia-nccl-cu11", "nvidia-nccl-cu12", "nvidia-nccl-cu13"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-nccl-cu12"]],
        once=True,
        why="three distributions list one path, the bytes are the last one's; the healthy twin has three owners of equal bytes",
    )


@case(0, "X", "08-one-of-seven-leftovers-matters")
def _(w, ok):
    clean(w)
    leftovers(w)
    if not ok:
        w.install(shared_four(w, 13)[1])
    w.py("import torch")
    w.expect(
        CONTESTED,
        ("libcusparseLt.so.0", "nvidia-cusparselt-cu12", "nvidia-cusparselt-cu13"),
        exit=(0, 1),
        not_codes=("SO101", "SO102", "SO304", "SO506"),
        fix=[["nvidia-cusparselt-cu12"]],
        fix_never=INERT[:1] + INERT[2:],
        once=True,
        why="seven CUDA 13 leftovers: six in nvidia/cu13 are inert, nobody loads them; the seventh wrote over a library that torch loads",
    )


@case(0, "X", "09-stale-second-dist-info")
def _(w, ok):
    w.venv()
    old, new = (cudnn(w, 12, v) for v in ("9.1.0.70", "9.10.2.21"))
    w.install(cudart(w, 12), old)
    w.install(new, keep_old=not ok)
    w.install(torch(w, "2.9.1+cu128", "12.8", needs=(("libcudnn.so.9", "cudnnCreate"),), requires=("nvidia-cudnn-cu12==9.10.2.21",)))
    w.py("import torch")
    w.expect(
        ("SO206",),
        ("nvidia-cudnn-cu12", "9.1.0.70", "9.10.2.21"),
        exit=(0, 1),
        not_codes=("SO101", "SO102", "SO301"),
        once=True,
        fix=[["nvidia-cudnn-cu12"], ["9.1.0.70"]],
        why="two dist-info folders of one name: the files are those of 9.10.2.21, the folder of 9.1.0.70 is stale; which of them pip shows is chance",
    )


@case(0, "X", "10-gutted-beside-metadata-only")
def _(w, ok):
    w.venv()
    n = nccl(w, 12, "2.27.5")
    w.install(
        cudart(w, 12),
        n,
        w.wheel(
            "cuda-toolkit",
            "13.0.2",
            {},
            ('nvidia-cublas==13.1.0.3.*; extra == "cublas"', 'nvidia-cuda-runtime==13.0.96.*; extra == "cudart"'),
            extras=("cublas", "cudart"),
        ),
        w.wheel("nvidia-pyindex", "1.0.9", {}),
        torch(w, "2.9.1+cu128", "12.8", needs=(("libnccl.so.2", "ncclGetUniqueId"),), requires=("nvidia-nccl-cu12==2.27.5",)),
        nccl(w, 13, "2.28.9"),
    )
    w.uninstall("nvidia-nccl-cu13")
    if ok:
        w.install(n)
    w.fails("import torch", "libnccl.so.2: cannot open shared object file")
    w.expect(
        ("SO102",),
        ("libnccl.so.2", "nvidia-nccl-cu12"),
        not_codes=("SO101", "SO201"),
        fix=[["reinstall", "nvidia-nccl-cu12"]],
        fix_never=("cuda-toolkit", "pyindex"),
        once=True,
        why="one package lost its only library; beside it stand two that never had a file and that nobody needs: metadata-only is no fault",
    )


@case(0, "X", "11-equal-sizes-other-bytes")
def _(w, ok):
    clean(w)
    a, b = (nccl(w, cu, "2.27.5") for cu in (12, 13))
    path = "nvidia/nccl/lib/libnccl.so.2"
    if len(a.files[path]) != len(b.files[path]) or a.files[path] == b.files[path]:
        w.problems.append("the two libraries must have equal sizes and other bytes")
    if ok:
        b.files[path] = a.files[path]
    w.install(b)
    w.py("import torch")
    w.expect(
        CONTESTED,
        (path, "nvidia-nccl-cu12", "nvidia-nccl-cu13"),
        exit=(0, 1),
        not_codes=("SO101", "SO102", "SO204"),
        fix=[["nvidia-nccl-cu12"]],
        why="both wheels' libraries have the same size and version; only the hash tells that the bytes are the cu13 wheel's",
    )


@case(0, "X", "12-library-and-header-contested")
def _(w, ok):
    w.venv()

    def one(cu):
        lib = So("libnccl.so.2", defs=("ncclGetUniqueId",), text=("NCCL 2.28.3" if ok else f"NCCL 2.28.3 cuda{cu}",))
        return nv(
            w,
            "nccl",
            cu,
            "2.28.3",
            lib,
            extra={"nvidia/nccl/include/nccl.h": f"#define NCCL_CUDA {cu}\n", "nvidia/nccl/lib/pkgconfig/nccl.pc": f"cuda={cu}\n"},
        )

    w.may_differ = r"nccl\.(h|pc)$"
    w.install(
        cudart(w, 12),
        one(12),
        one(13),
        torch(w, "2.9.1+cu128", "12.8", needs=(("libnccl.so.2", "ncclGetUniqueId"),), requires=("nvidia-nccl-cu12==2.28.3",)),
    )
    w.py("import torch")
    w.expect(
        CONTESTED,
        ("nvidia/nccl/lib/libnccl.so.2", "nvidia-nccl-cu12", "nvidia-nccl-cu13"),
        exit=(0, 1),
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-nccl-cu12"]],
        once=True,
        why="header, .pc file and library are contested; in the healthy twin the libraries are equal and only the header and the .pc file differ, which no import loads: at most a note",
    )


@case(0, "X", "13-plan-removal-of-an-equal-twin")
def _(w, ok):
    w.venv()
    lib = So("libnccl.so.2", defs=("ncclGetUniqueId",), text=("NCCL version 2.28.3",))
    w.install(
        cudart(w, 12),
        nv(w, "nccl", 12, "2.28.3", lib),
        nv(w, "nccl", 13, "2.28.3", lib),
        nv(w, "nvjitlink", 13, "13.0.88", "libnvJitLink.so.13"),
        torch(w, "2.9.1+cu128", "12.8", needs=(("libnccl.so.2", "ncclGetUniqueId"),), requires=("nvidia-nccl-cu12==2.28.3",)),
    )
    argv = w.plan_uninstall("nvidia-nvjitlink" if ok else "nvidia-nccl-cu13")
    w.after("import torch", "libnccl.so.2: cannot open shared object file")
    w.expect(
        ("SO601", "SO603"),
        ("libnccl.so.2", "nvidia-nccl-cu12", "torch"),
        argv=argv,
        union=True,
        not_codes=("SO102",),
        why="two owners of equal bytes are in order as they stand; but the uninstall of either deletes the file of both",
    )


@case(0, "X", "14-bytes-of-nobody")
def _(w, ok):
    clean(w)
    path = f"env/lib/python{V}/site-packages/nvidia/nccl/lib/libnccl.so.2"
    if not ok:
        w.put(path, So("libnccl.so.2", defs=("ncclGetUniqueId",), text=("NCCL version 2.26.2+cuda12.2 copied from a backup",)))
    w.py("import torch")
    w.expect(
        ("SO204", "SO207"),
        ("libnccl.so.2", "nvidia-nccl-cu12", "2.27.5"),
        exit=(0, 1),
        not_codes=("SO101", "SO102", "SO203"),
        fix=[["reinstall", "nvidia-nccl-cu12"]],
        once=True,
        why="a library was copied over by hand: its hash is no installed distribution's, so it is no contest of owners but a RECORD that is not true",
    )


@case(0, "X", "15-right-bytes-untrue-leftover")
def _(w, ok):
    w.venv()
    twelve = nccl(w, 12, "2.27.5")
    w.install(
        cudart(w, 12),
        twelve,
        torch(w, "2.9.1+cu128", "12.8", needs=(("libnccl.so.2", "ncclGetUniqueId"),), requires=("nvidia-nccl-cu12==2.27.5",)),
    )
    if not ok:
        w.install(nccl(w, 13, "2.28.9"))
        w.install(twelve)
    w.py("import torch")
    w.expect(
        CONTESTED,
        ("nvidia/nccl/lib/libnccl.so.2", "nvidia-nccl-cu12", "nvidia-nccl-cu13"),
        exit=(0, 1),
        level="note",
        not_codes=("SO101", "SO102"),
        fix=[["nvidia-nccl-cu13"]],
        why="cu12 was reinstalled over cu13: the bytes are right again for torch, but the leftover still claims the path, and its removal would delete the file",
    )


@case(0, "X", "16-plan-repair-in-the-wrong-order")
def _(w, ok):
    clean(w)
    w.install(*shared_four(w, 13))
    w.install(*shared_four(w, 12))
    leftovers(w)
    w.may_differ = r"^nvidia/"
    w.py(bytes_are(w, 12))
    argv = w.plan_uninstall(*(INERT[:3] if ok else CU13))
    w.after("import torch", "libcudnn.so.9: cannot open shared object file")
    w.expect(
        ("SO601", "SO603"),
        (*FOUR.values(), *CU12),
        argv=argv,
        union=True,
        not_codes=("SO102",),
        why="reinstalling cu12 first and removing cu13 afterwards is the wrong order: the uninstall deletes what was just put back",
    )


@case(0, "X", "17-leftovers-are-inert", near=False)
def _(w, ok):
    clean(w)
    leftovers(w)
    w.install(w.wheel("cuda-toolkit", "13.0.2", {}))
    w.py("import torch\n" + "m = open('/proc/self/maps').read()\nassert '/cu13/' not in m and 'libcudnn.so.9' in m\n")
    w.expect(
        (*CONTESTED, "SO102", "SO201", "SO304", "SO506"),
        healthy=True,
        why="six CUDA 13 leftovers in nvidia/cu13 and a metadata-only cuda-toolkit beside a sound cu128 torch: nothing loads them",
    )
