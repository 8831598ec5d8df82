#!/bin/sh
# Compiles the sources beside it, and the ladder, to the PTX kept here. Run from the repository root; needs nvcc 13.
# Paths below the root are made relative, so that the files are the same wherever they are made.
set -eu
out=tests/ptx/data
keep() { sed "s|\"$PWD/|\"|" >"$out/$1"; }
compile() { # SOURCE NAME FLAGS…
    source=$1; name=$2; shift 2
    nvcc -ptx -std=c++17 "$@" "$source" -o - </dev/null | keep "$name"
}
compile tests/kernels/ladder.cu ladder.sm_90.ptx -lineinfo -O3 -arch=sm_90
