// lesson 10; device sim,gpu; nvcc,clang; want: fail|timeout; tries: lanes that want one word store different numbers to one place and read it back at once to see who has won, with nothing but luck between (no __syncwarp(), racing stores): lanes need not run in step; all puzzles but those of one lane
// 10 bank puzzles: the rules as a program. The warp plays each access and counts.

// The word where lane l's access begins, or -1 where it sleeps.
__device__ int word(int puzzle, int l)
{
    switch (puzzle) {
    case 1: case 18: case 19: return l * (puzzle == 1 ? 1 : puzzle == 18 ? 2 : 4);
    case 2: return l * 2;
    case 3: return l * 3;
    case 4: return l * 8;
    case 5: return l * 12;
    case 6: case 24: return l * 32;
    case 7: return l * 33;
    case 8: case 21: return 0;
    case 9: return l / 2;
    case 10: return l % 2 * 32;
    case 11: return l % 4 * 8;
    case 12: return l / 8 * 32 + l % 8;
    case 13: return l * 5 % 32 + l % 3 * 32;
    case 14: return l < 16 ? l * 32 : -1;
    case 15: return l % 2 == 0 ? l * 2 : -1;
    case 16: return l % 8 * 4;
    case 17: return l / 4;
    case 20: return l * 8;
    case 22: return l * 36;
    case 23: return (l % 8 * 8 + (l / 8 ^ l % 8)) * 4;
    default: return l * 32 + l % 8 * 4;
    }
}

__global__ void answers(int *out)
{
    __shared__ int owner[2048], full[32];  // who speaks for a word; different words of each bank

    int lane = threadIdx.x;
    for (int puzzle = 1; puzzle <= 25; puzzle++) {
        int wide = puzzle == 18 ? 2 : puzzle >= 19 ? 4 : 1, at = word(puzzle, lane);
        int group = 32 / wide;  // lanes that are served together

        // Twins: two groups at once.
        int next = __shfl_xor_sync(~0u, at, 1), second = __shfl_xor_sync(~0u, at, 2);
        bool twins = __all_sync(~0u, at < 0 || next < 0 || at == next) || __all_sync(~0u, at < 0 || second < 0 || at == second);
        if (wide > 1 && puzzle < 24 && twins)
            group *= 2;

        int turns = 0;
        for (int from = 0; from < 32; from += group) {
            __syncwarp();
            full[lane] = 0;
            __syncwarp();
            if (at >= 0 && lane >= from && lane < from + group)
                for (int j = 0; j < wide; j++) {
                    // Who wants the word writes its name on it. The last one speaks for all.
                    owner[at + j] = lane;
                    if (*(volatile int *)&owner[at + j] == lane)
                        atomicAdd(&full[(at + j) % 32], 1);
                }
            __syncwarp();
            turns += __reduce_max_sync(~0u, full[lane]);
        }
        if (lane == 0)
            out[puzzle - 1] = turns;
    }
}
