// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the warp works the puzzles out itself: __match_any_sync finds lanes that want one word and words that share a bank, a vote finds twins, lane i keeps answer i
struct Access {
    unsigned unit;   // the word, pair or quad that this lane wants
    bool awake;
};

// Lanes are served in groups of 32 / width; a group costs the largest number of different units of one bank.
__device__ int wavefronts(Access a, unsigned width, bool may_pair)
{
    const unsigned all = 0xffffffff, lane = threadIdx.x;
    unsigned banks = 32 / width, group = 32 / width;

    // Twins: everybody wants what lane l ^ 1 wants, or everybody what lane l ^ 2 does. Then two groups are one.
    if (may_pair && width > 1) {
        unsigned one = __shfl_xor_sync(all, a.unit, 1), two = __shfl_xor_sync(all, a.unit, 2);
        if (__all_sync(all, one == a.unit) || __all_sync(all, two == a.unit))
            group *= 2;
    }
    unsigned mine = (group == 32 ? all : ((1u << group) - 1) << lane / group * group);

    // The first of the lanes of a group that want a unit stands for it. Sleepers stand for nothing.
    unsigned same = __match_any_sync(all, a.awake ? a.unit : 0x80000000u + lane) & mine;
    bool stands = a.awake && (same & ((1u << lane) - 1)) == 0;
    unsigned rivals = __match_any_sync(all, stands ? a.unit % banks : 1000 + lane) & mine;
    unsigned turns = stands ? __popc(rivals) : 0;

    int sum = 0;
    for (unsigned first = 0; first < 32; first += group)
        sum += __reduce_max_sync(all, lane / group * group == first ? turns : 0);
    return sum;
}

__global__ void answers(int *out)
{
    const unsigned lane = threadIdx.x;
    int mine = 0;
    unsigned next = 0;
    auto note = [&](unsigned unit, unsigned width = 1, bool awake = true, bool may_pair = true) {
        int count = wavefronts({unit, awake}, width, may_pair);
        if (lane == next++)
            mine = count;
    };

    note(lane);                              // strides
    note(lane * 2);
    note(lane * 3);
    note(lane * 8);
    note(lane * 12);
    note(lane * 32);
    note(lane * 33);
    note(blockIdx.x);                        // lanes that want the same word
    note(lane / 2);
    note(lane % 2 * 32);
    note(lane % 4 * 8);
    note(lane / 8 * 32 + lane % 8);
    note(lane * 5 % 32 + lane % 3 * 32);
    note(lane * 32, 1, lane < 16);           // lanes that sleep, a store, bytes
    note(lane * 2, 1, lane % 2 == 0);
    note(lane % 8 * 4);
    note(lane / 4);
    note(lane, 2);                           // 8 and 16 bytes a lane
    note(lane, 4);
    note(lane * 2, 4);
    note(blockIdx.x, 4);
    note(lane * 9, 4);
    note(lane % 8 * 8 + (lane / 8 ^ lane % 8), 4);
    note(lane * 8, 4, true, false);          // ldmatrix: rows of 16 bytes, eight at a time
    note(lane * 8 + lane % 8, 4, true, false);

    if (lane < next)
        out[lane] = mine;
}
