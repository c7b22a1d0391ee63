#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the incident with genuine wheels: eight environments of CPython 3.11 that differ only in what was installed and
# uninstalled, in which order. Needs uv (pip install uv), about 3 GB of download and 8 GB of disk (hard links share the rest).
#   make_incident.sh DIR
#     DIR/clean        torch 2.10.0 (cu128), nothing else
#     DIR/contested    + the four -cu13 wheels over it: their bytes lie under the -cu12 RECORDs; import torch works
#     DIR/gutted       contested, then the four -cu13 wheels uninstalled by uv: import torch fails; pip check is green
#     DIR/gutted-pip   the same by pip, which leaves empty folders behind
#     DIR/rounds       gutted, then the four -cu13 wheels put back one at a time, as in the report; the errors of each round are
#                      printed. It ends as the report ended: it works, on CUDA 13 bytes (a second fault: they look for libcublasLt.so.13)
#     DIR/mended       gutted, then the right repair: reinstall of the four -cu12 wheels
#     DIR/ten          clean + ten leftovers as in the report: those four and six that no import of torch loads a file of
#     DIR/ten-gone     ten, then all ten uninstalled in one command
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd); here=$(cd "$(dirname "$0")" && pwd)
torch=torch==2.10.0
cu13="nvidia-cudnn-cu13==9.19.0.56 nvidia-cusparselt-cu13==0.8.0 nvidia-nccl-cu13==2.28.9 nvidia-nvshmem-cu13==3.4.5"
cu12="nvidia-cudnn-cu12==9.10.2.21 nvidia-cusparselt-cu12==0.7.1 nvidia-nccl-cu12==2.27.5 nvidia-nvshmem-cu12==3.4.5"
inert="nvidia-cublas==13.1.0.3 nvidia-cuda-nvrtc==13.0.88 nvidia-nvjitlink==13.0.88 nvidia-cuda-runtime==13.0.96 flashinfer-python==0.6.3 sglang==0.5.9"
names() { for p in $1; do printf '%s ' "${p%%==*}"; done; }
new() { uv venv -q --seed -p "${PYTHON:-python3}" "$out/$1"; uv pip install -q -p "$out/$1/bin/python" $torch; }
into() { local e=$1; shift; uv pip install -q --no-deps -p "$out/$e/bin/python" "$@"; }
probe() { printf '%-11s import torch: ' "$1"; env -i PATH=/usr/bin:/bin HOME="$HOME" LANG=C.UTF-8 "$out/$1/bin/python" -W ignore -c 'import torch; print("ok", torch.__version__)' 2>&1 | tail -n 1
          printf '%-11s check:        ' "$1"; uv pip check -p "$out/$1/bin/python" 2>&1 | tail -n 1; }
for e in clean contested gutted gutted-pip rounds mended ten ten-gone; do [ -e "$out/$e" ] || new $e; done
probe clean
for e in contested gutted gutted-pip rounds mended ten ten-gone; do into $e $cu13; done
probe contested
for e in gutted rounds mended; do uv pip uninstall -q -p "$out/$e/bin/python" $(names "$cu13"); done
for e in ten ten-gone; do into $e $inert; done
probe ten
uv pip uninstall -q -p "$out/ten-gone/bin/python" $(names "$cu13 $inert")
probe ten-gone
"$out/gutted-pip/bin/python" -m pip uninstall -q -y $(names "$cu13")
probe gutted; probe gutted-pip
for p in $cu13; do into rounds "$p"; echo "rounds: put back $p"; probe rounds; done
into mended --reinstall $cu12
probe mended
