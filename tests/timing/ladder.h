// The probe's kernels as they were launched for golden/h200_times.csv.
#ifndef BANKSHOT_TESTS_LADDER_H
#define BANKSHOT_TESTS_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ladder_shape {
    LADDER_COPY,   // (out, in, n * n), n * n / 256 blocks
    LADDER_COPY4,  // (out, in, n * n / 4), n * n / 1024 blocks
    LADDER_TILE,   // (out, in, n), n / 32 squared blocks
    LADDER_REDUCE, // (in, out, n * n), n * n / 256 blocks
    LADDER_STRIDE, // (in, out, n * n), 1056 blocks
    LADDER_GEMM    // (a, b, c, n), n / tile squared blocks
};

struct ladder_kernel {
    const char *row;    // name in golden/h200_times.csv
    const char *name;   // in the source
    const char *family; // ladder that it belongs to: its rows are put in order
    enum ladder_shape shape;
    uint32_t block[2], tile, dynamic_shared, registers;
    bool fitted; // belongs to the half that constants are fitted on
};

extern const struct ladder_kernel ladder_kernels[];
extern const size_t ladder_count;

#endif
