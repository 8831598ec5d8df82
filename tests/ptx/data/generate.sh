#!/bin/sh
# Compiles the sources beside it, and the ladder, to the PTX kept here. Run from the repository root; needs nvcc 13,
# clang 14 and clang 19. Paths below the root are made relative, so that the files are the same wherever they are made.
set -eu
here=tests/ptx/data
keep() { sed "s|\"$PWD/|\"|" >"$here/$1"; }
with_nvcc() { # SOURCE NAME FLAGS…
    source=$1; name=$2; shift 2
    nvcc -ptx -std=c++17 -w "$@" "$source" -o - </dev/null | keep "$name"
}
with_clang() { # VERSION NAME FLAGS…
    version=$1; name=$2; shift 2
    "clang-$version" -x cuda --cuda-device-only -nocudainc -nocudalib -w -S -Xclang -target-feature -Xclang +ptx75 \
        "$@" "$here/clang.cu" -o - | keep "$name"
}
with_nvcc tests/kernels/ladder.cu ladder.sm_90.ptx -lineinfo -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_b.cu ladder_b.sm_90.ptx -lineinfo -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_c.cu ladder_c.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_d.cu ladder_d.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_e.cu ladder_e.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_f.cu ladder_f.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_g.cu ladder_g.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_h.cu ladder_h.sm_90.ptx -O3 -arch=sm_90
with_nvcc tests/kernels/ladder_i.cu ladder_i.sm_90.ptx -O3 -arch=sm_90
# The microbenchmarks, less those of single instructions, which sass_costs.py is for.
nvcc -ptx -std=c++17 -w -O3 -arch=sm_90a tests/kernels/micro.cu -o - </dev/null | awk '/^[ \t]*\/\/ \.globl/ { skip = /pipe_/ } !skip' |
    keep micro.sm_90.ptx
with_nvcc $here/language.cu language.O3.sm_90.ptx -lineinfo -O3 -arch=sm_90
with_nvcc $here/language.cu language.O0.sm_75.ptx -lineinfo -Xcicc -O0 -arch=sm_75
with_nvcc $here/library.cu library.O3.sm_80.ptx -O3 -arch=sm_80
with_nvcc $here/hopper.cu hopper.O3.sm_90a.ptx -lineinfo -O3 -arch=sm_90a
with_clang 14 clang14.O3.sm_80.ptx -O3 -gline-tables-only --cuda-gpu-arch=sm_80
with_clang 19 clang19.O0.sm_90.ptx -O0 -gline-tables-only --cuda-gpu-arch=sm_90
# The ladder through clang, by the lab's own device headers.
ladder_with_clang() { # VERSION ARCH PTX
    "clang-$1" -x cuda --cuda-gpu-arch="sm_$2" --cuda-device-only -nocudainc -nocudalib -S -O3 -std=c++17 \
        -gline-tables-only -w -isystem src/toolchain/include/cuda -include src/toolchain/include/cuda/bankshot_device.h \
        --cuda-path=/nonexistent -Xclang -target-feature -Xclang "+ptx$3" tests/kernels/ladder.cu -o - | keep "ladder.clang$1.sm_$2.ptx"
}
ladder_with_clang 14 86 75
ladder_with_clang 19 90 78
