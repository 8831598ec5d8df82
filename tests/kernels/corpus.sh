#!/bin/sh
# Compiles tests/kernels/hazards, racy and correct to the PTX kept beside them. Run from the repository root;
# needs nvcc 13.
set -eu
for source in tests/kernels/hazards/*.cu tests/kernels/racy/*.cu tests/kernels/correct/*.cu; do
    nvcc -ptx -std=c++17 -w -O3 -lineinfo -arch=sm_90 "$source" -o - </dev/null | sed "s|\"$PWD/|\"|" >"${source%.cu}.ptx"
done
