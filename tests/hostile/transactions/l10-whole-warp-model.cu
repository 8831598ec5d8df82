// lesson 10; device sim,gpu; nvcc,clang; want: fail; tries: counts by the naive model (different words in the fullest bank, over all 32 lanes at once, however wide): right for 24 puzzles by luck, but 1 for puzzle 21, where quarter-warps in pairs take 2

// Words that each lane wants: first word, and how many of them. -1: the lane sleeps.
template <typename F>
__device__ int turns(int wide, F first)
{
    int most = 0;
    for (int bank = 0; bank < 32; bank++) {
        int different = 0;
        for (int a = 0; a < 32 * wide; a++) {
            int f = first(a / wide), x = f + a % wide;
            if (f < 0 || x % 32 != bank)
                continue;
            bool seen = false;
            for (int b = 0; b < a && !seen; b++) {
                int g = first(b / wide);
                seen = g >= 0 && g + b % wide == x;
            }
            different += !seen;
        }
        most = different > most ? different : most;
    }
    return most;
}

__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;
    out[0] = turns(1, [](int l) { return l; });
    out[1] = turns(1, [](int l) { return l * 2; });
    out[2] = turns(1, [](int l) { return l * 3; });
    out[3] = turns(1, [](int l) { return l * 8; });
    out[4] = turns(1, [](int l) { return l * 12; });
    out[5] = turns(1, [](int l) { return l * 32; });
    out[6] = turns(1, [](int l) { return l * 33; });
    out[7] = turns(1, [](int) { return 0; });
    out[8] = turns(1, [](int l) { return l / 2; });
    out[9] = turns(1, [](int l) { return l % 2 * 32; });
    out[10] = turns(1, [](int l) { return l % 4 * 8; });
    out[11] = turns(1, [](int l) { return l / 8 * 32 + l % 8; });
    out[12] = turns(1, [](int l) { return l * 5 % 32 + l % 3 * 32; });
    out[13] = turns(1, [](int l) { return l < 16 ? l * 32 : -1; });
    out[14] = turns(1, [](int l) { return l % 2 == 0 ? l * 2 : -1; });
    out[15] = turns(1, [](int l) { return l % 8 * 4; });
    out[16] = turns(1, [](int l) { return l / 4; });
    out[17] = turns(2, [](int l) { return l * 2; });
    out[18] = turns(4, [](int l) { return l * 4; });
    out[19] = turns(4, [](int l) { return l * 8; });
    out[20] = turns(4, [](int) { return 0; });
    out[21] = turns(4, [](int l) { return l * 36; });
    out[22] = turns(4, [](int l) { return (l % 8 * 8 + (l / 8 ^ l % 8)) * 4; });
    out[23] = turns(4, [](int l) { return l * 32; });
    out[24] = turns(4, [](int l) { return l * 32 + l % 8 * 4; });
}
