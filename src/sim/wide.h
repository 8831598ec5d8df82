// What the files share that execute matrix instructions by AVX2, FMA and F16C, or by AVX-512.
#ifndef BANKSHOT_SIM_WIDE_H
#define BANKSHOT_SIM_WIDE_H

#include <immintrin.h>

#include "ptx/ptx.h"

#define WIDE __attribute__((target("avx2,fma,f16c")))
#define WIDE_INLINE WIDE static inline __attribute__((always_inline))
#define WIDEST __attribute__((target("avx512f,avx2,fma,f16c")))

// Of halves, or of bfloat16.
WIDE_INLINE __m256 eight_singles(__m128i values, enum ptx_type type)
{
    if (type == PTX_F16)
        return _mm256_cvtph_ps(values);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(values), 16));
}

// Rows of a square become its columns.
WIDE_INLINE void turn_eight(__m256 rows[8])
{
    __m256 pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            fours[i + 2 * j] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0x44);
            fours[i + 2 * j + 1] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0xee);
        }
    for (int i = 0; i < 4; i++) {
        rows[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
        rows[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
    }
}

#endif
