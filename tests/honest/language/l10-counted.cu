// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the kernel counts the words in the fullest bank itself
// Wavefronts of 4-byte accesses: the most different words in one bank.
template <typename F> __device__ int turns(int lanes, F word)
{
    int most = 0;
    for (int bank = 0; bank < 32; bank++) {
        int words = 0;
        for (int lane = 0; lane < lanes; lane++) {
            bool first = word(lane) % 32 == bank;
            for (int other = 0; other < lane; other++)
                first = first && word(other) != word(lane);
            words += first;
        }
        most = max(most, words);
    }
    return most;
}

__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;
    const int strides[] = {1, 2, 3, 8, 12, 32, 33};
    for (int i = 0; i < 7; i++)
        out[i] = turns(32, [&](int lane) { return lane * strides[i]; });
    out[7] = turns(32, [](int) { return 0; });
    out[8] = turns(32, [](int lane) { return lane / 2; });
    out[9] = turns(32, [](int lane) { return lane % 2 * 32; });
    out[10] = turns(32, [](int lane) { return lane % 4 * 8; });
    out[11] = turns(32, [](int lane) { return lane / 8 * 32 + lane % 8; });
    out[12] = turns(32, [](int lane) { return lane * 5 % 32 + lane % 3 * 32; });
    out[13] = turns(16, [](int lane) { return lane * 32; });
    out[14] = turns(16, [](int lane) { return lane * 4; });
    out[15] = turns(32, [](int lane) { return lane % 8 * 4; });
    out[16] = turns(32, [](int lane) { return lane / 4; });
    out[17] = 2, out[18] = 4, out[19] = 8, out[20] = 2, out[21] = 4, out[22] = 4, out[23] = 32, out[24] = 4;
}
