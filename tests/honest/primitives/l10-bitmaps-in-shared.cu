// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: each access sets a bit for each word in bitmaps of the banks, in shared memory; popc counts
enum Kind { LOAD1, LOAD2, LOAD4, STORE, MATRIX };

// What lane l asks for: the first word, or nothing.
__device__ int wants(int puzzle, int l)
{
    switch (puzzle) {
    case 0: return l;
    case 1: return l * 2;
    case 2: return l * 3;
    case 3: return l * 8;
    case 4: return l * 12;
    case 5: return l * 32;
    case 6: return l * 33;
    case 7: return 0;
    case 8: return l / 2;
    case 9: return l % 2 * 32;
    case 10: return l % 4 * 8;
    case 11: return l / 8 * 32 + l % 8;
    case 12: return l * 5 % 32 + l % 3 * 32;
    case 13: return l < 16 ? l * 32 : -1;
    case 14: return l % 2 == 0 ? l * 2 : -1;
    case 15: return l % 8 * 4;
    case 16: return l / 4;
    case 17: return l * 2;
    case 18: return l * 4;
    case 19: return l * 2 * 4;
    case 20: return 0;
    case 21: return l * 9 * 4;
    case 22: return (l % 8 * 8 + (l / 8 ^ l % 8)) * 4;
    case 23: return l * 32;
    default: return l * 32 + l % 8 * 4;
    }
}

__device__ Kind kind(int puzzle)
{
    return puzzle >= 23 ? MATRIX : puzzle >= 18 ? LOAD4 : puzzle == 17 ? LOAD2 : puzzle == 15 ? STORE : LOAD1;
}

extern __shared__ unsigned bitmap[];  // [64 rows of 32 words / 32][32 banks]

__global__ void answers(int *out)
{
    int lane = threadIdx.x;
    for (int puzzle = 0; puzzle < 25; puzzle++) {
        Kind what = kind(puzzle);
        int word = wants(puzzle, lane);
        int words = what == LOAD2 ? 2 : what == LOAD4 || what == MATRIX ? 4 : 1;
        int group = 32 / words;

        // Two groups are served together where everyone's neighbour, one or two away, wants the same.
        bool wide = what == LOAD2 || what == LOAD4;
        int one = __shfl_xor_sync(~0u, word, 1), two = __shfl_xor_sync(~0u, word, 2);
        bool as_one = __all_sync(~0u, one == word), as_two = __all_sync(~0u, two == word);
        if (wide && (as_one || as_two))
            group *= 2;

        int wavefronts = 0;
        for (int first = 0; first < 32; first += group) {
            bitmap[lane] = bitmap[32 + lane] = 0;
            __syncwarp();
            if (lane / group == first / group && word >= 0)
                for (int w = word; w < word + words; w++)
                    atomicOr(&bitmap[w / 1024 * 32 + w % 32], 1u << w / 32 % 32);
            __syncwarp();
            unsigned different = __popc(bitmap[lane]) + __popc(bitmap[32 + lane]);
            wavefronts += __reduce_max_sync(~0u, different);
            __syncwarp();
        }
        if (lane == 0)
            out[puzzle] = wavefronts;
    }
}
