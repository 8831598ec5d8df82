// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: a constexpr function counts, and the answers lie in constant memory
struct Count { int turns; };
template <class F> constexpr int wavefronts(F address, int bytes, int groups)  // address in bytes, -1: asleep
{
    int all = 0;
    for (int g = 0; g < groups; g++) {
        int words[128] = {}, n = 0, fullest = 0, bank[32] = {};
        for (int l = g * 32 / groups; l < (g + 1) * 32 / groups; l++) {
            int at = address(l);
            if (at < 0) continue;
            for (int w = at / 4; w <= (at + bytes - 1) / 4; w++) {
                bool seen = false;
                for (int i = 0; i < n; i++) seen |= words[i] == w;
                if (!seen) { words[n++] = w; if (++bank[w % 32] > fullest) fullest = bank[w % 32]; }
            }
        }
        all += fullest;
    }
    return all;
}
#define W4(e) wavefronts([](int lane) constexpr { return (e) * 4; }, 4, 1)
__constant__ constexpr int table[25] = {
    W4(lane), W4(lane * 2), W4(lane * 3), W4(lane * 8), W4(lane * 12), W4(lane * 32), W4(lane * 33),
    W4(0), W4(lane / 2), W4(lane % 2 * 32), W4(lane % 4 * 8), W4(lane / 8 * 32 + lane % 8), W4(lane * 5 % 32 + lane % 3 * 32),
    wavefronts([](int lane) constexpr { return lane < 16 ? lane * 128 : -1; }, 4, 1),
    wavefronts([](int lane) constexpr { return lane % 2 == 0 ? lane * 8 : -1; }, 4, 1),
    W4(lane % 8 * 4), wavefronts([](int lane) constexpr { return lane; }, 1, 1),
    wavefronts([](int lane) constexpr { return lane * 8; }, 8, 2),
    wavefronts([](int lane) constexpr { return lane * 16; }, 16, 4),
    wavefronts([](int lane) constexpr { return lane * 32; }, 16, 4),
    wavefronts([](int) constexpr { return 0; }, 16, 2),
    wavefronts([](int lane) constexpr { return lane * 9 * 16; }, 16, 4),
    wavefronts([](int lane) constexpr { return (lane % 8 * 8 + (lane / 8 ^ lane % 8)) * 16; }, 16, 4),
    wavefronts([](int lane) constexpr { return lane * 128; }, 16, 4),
    wavefronts([](int lane) constexpr { return lane * 128 + lane % 8 * 16; }, 16, 4)};
__global__ void answers(int *out)
{
    if (threadIdx.x < 25) out[threadIdx.x] = table[threadIdx.x];
}
