// Random PTX kernels whose results are the same on every correct machine: no races, no undefined operations, no
// approximate arithmetic; float NaNs never become integers. For differential runs against a GPU.
#ifndef BANKSHOT_TESTS_GENERATE_H
#define BANKSHOT_TESTS_GENERATE_H

#include <stdint.h>

#include "base/text.h"

enum {
    GENERATE_INPUTS = 1024, // u32 values in `in`
    GENERATE_SUMS = 64,     // u32 values in `sums`
    GENERATE_R = 12,        // 32-bit integer registers stored at the end
    GENERATE_D = 4,         // 64-bit integer registers
    GENERATE_F = 8,         // f32
    GENERATE_G = 4,         // f64
    GENERATE_H = 4,         // f16x2, stored as b32
    GENERATE_WORDS = GENERATE_R + 2 * GENERATE_D + GENERATE_F + 2 * GENERATE_G + GENERATE_H
};

enum generate_focus {
    GENERATE_ANY,
    GENERATE_EXCHANGE // carry, video instructions and exchange between lanes only: a mask for each group of lanes,
                      // lanes that come apart and late, warps that are not full
};

struct generated {
    struct text ptx;         // one entry: k<seed>(u64 out, u64 in, u64 sums)
    uint32_t grid, block[2]; // grid blocks in x; block x, y
    uint32_t threads;        // in all
    uint32_t statements;     // at the top level
    size_t last;             // where the last statement stands in ptx
};

// Counters of the kernels of even seeds can be compared with hardware's: ptxas leaves their accesses and loops as they
// are. Accesses are volatile and every loaded value is wanted, loops are not unrolled nor nested, have one exit and
// wait for all lanes behind it. The same seed gives the same kernel; limit: only its first statements (0 = all), to
// find the one that matters. out: GENERATE_WORDS u32 a thread, word-major (word * threads + thread); sums:
// GENERATE_SUMS u32 that blocks add to atomically. The caller frees ptx.
void generate_kernel(enum generate_focus focus, uint64_t seed, uint32_t limit, struct generated *kernel);

// What word w of a thread holds: 'i' integer, 'f' f32, 'g' half of an f64 (low word first), 'h' two f16.
char generate_word_kind(uint32_t word);

#endif
