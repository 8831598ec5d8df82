// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the warp counts for itself at run time: each lane owns a bank, first lanes of equal words by __match_any_sync, ballots and popcounts
__device__ unsigned my_bank_words(unsigned word, bool active, unsigned group)
{
    // Different words of my bank among the lanes of `group`: every word's first lane votes.
    const unsigned in_group = __ballot_sync(~0u, active) & group;
    const unsigned same = __match_any_sync(~0u, word) & in_group;
    const unsigned lane = threadIdx.x;
    const bool first = (in_group >> lane & 1) && (unsigned)(__ffs(same) - 1) == lane;
    unsigned count = 0;
    for (unsigned bank = 0; bank < 32; bank++) {
        const unsigned votes = __ballot_sync(~0u, first && word % 32 == bank);
        if (bank == lane)
            count = __popc(votes);
    }
    return count;
}

__device__ unsigned most(unsigned x) { return __reduce_max_sync(~0u, x); }

__device__ unsigned narrow(unsigned word, bool active = true) { return most(my_bank_words(word, active, ~0u)); }

// `words` words a lane, in groups of `lanes`. Wide words are aligned, so word w of all lanes fall into banks of their own: 
// those with bank % words == w. The fullest bank is the largest over w.
__device__ unsigned wide(unsigned chunk, unsigned words, unsigned lanes)
{
    unsigned sum = 0;
    for (unsigned from = 0; from < 32; from += lanes) {
        const unsigned group = (lanes == 32 ? ~0u : (1u << lanes) - 1) << from;
        unsigned worst = 0;
        for (unsigned w = 0; w < words; w++)
            worst = max(worst, most(my_bank_words(chunk * words + w, true, group)));
        sum += worst;
    }
    return sum;
}

__device__ unsigned sixteen(unsigned chunk)
{
    const bool ones = __all_sync(~0u, chunk == __shfl_xor_sync(~0u, chunk, 1));
    const bool twos = __all_sync(~0u, chunk == __shfl_xor_sync(~0u, chunk, 2));
    return wide(chunk, 4, ones || twos ? 16 : 8);
}

__global__ void answers(int *out)
{
    const unsigned l = threadIdx.x;
    int at = 0;
    auto write = [&](unsigned n) {
        if (l == 0)
            out[at] = n;
        ++at;
    };

    constexpr unsigned strides[] = {1, 2, 3, 8, 12, 32, 33};
    for (unsigned s : strides)
        write(narrow(l * s));
    write(narrow(blockIdx.x));
    write(narrow(l / 2));
    write(narrow(l % 2 * 32));
    write(narrow(l % 4 * 8));
    write(narrow(l / 8 * 32 + l % 8));
    write(narrow(l * 5 % 32 + l % 3 * 32));
    write(narrow(l * 32, l < 16));
    write(narrow(l * 2, l % 2 == 0));
    write(narrow(l % 8 * 4));
    write(narrow(l / 4));
    write(wide(l, 2, 16));
    write(sixteen(l));
    write(sixteen(l * 2));
    write(sixteen(blockIdx.x));
    write(sixteen(l * 9));
    write(sixteen(l % 8 * 8 + (l / 8 ^ l % 8)));
    // ldmatrix always takes its matrices one by one.
    write(wide(l * 8, 4, 8));
    write(wide(l * 8 + l % 8, 4, 8));
}
