// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the compiler counts: a constexpr model of banks, groups and pairs, access functions as lambdas' type parameters, answers in a static table
struct Access {
    int address[32];  // in bytes
    int bytes;
    bool active[32];
};

// Wavefronts of lanes [first, last): the most different words in one bank.
constexpr int turns(const Access &x, int first, int last)
{
    int most = 0;
    for (int bank = 0; bank < 32; bank++) {
        int seen[512] = {}, count = 0;
        for (int l = first; l < last; l++)
            for (int w = x.address[l] / 4; x.active[l] && w <= (x.address[l] + x.bytes - 1) / 4; w++)
                if (w % 32 == bank) {
                    bool fresh = true;
                    for (int s = 0; s < count; s++)
                        fresh = fresh && seen[s] != w;
                    if (fresh)
                        seen[count++] = w;
                }
        most = count > most ? count : most;
    }
    return most;
}

constexpr int wavefronts(const Access &x)
{
    if (x.bytes <= 4)
        return turns(x, 0, 32);
    if (x.bytes == 8)
        return turns(x, 0, 16) + turns(x, 16, 32);
    // 16 bytes: quarters, or two together where all have a partner 1 or 2 lanes away.
    bool ones = true, twos = true;
    for (int l = 0; l < 32; l++) {
        ones = ones && x.address[l] == x.address[l ^ 1];
        twos = twos && x.address[l] == x.address[l ^ 2];
    }
    if (ones || twos)
        return turns(x, 0, 16) + turns(x, 16, 32);
    return turns(x, 0, 8) + turns(x, 8, 16) + turns(x, 16, 24) + turns(x, 24, 32);
}

template <typename F>
constexpr Access each(int bytes, F f)
{
    Access x{};
    x.bytes = bytes;
    for (int l = 0; l < 32; l++)
        x.address[l] = f(l) * bytes, x.active[l] = true;
    return x;
}
template <typename F>
constexpr Access some(Access x, F on)
{
    for (int l = 0; l < 32; l++)
        x.active[l] = on(l);
    return x;
}
// Each of the four matrices comes for itself: eight rows of 16 bytes.
template <typename F>
constexpr int ldmatrix(F f)
{
    Access x{};
    x.bytes = 16;
    for (int l = 0; l < 32; l++)
        x.address[l] = f(l) * 4, x.active[l] = true;
    return turns(x, 0, 8) + turns(x, 8, 16) + turns(x, 16, 24) + turns(x, 24, 32);
}

struct Table {
    int at[25];
};

constexpr Table solve()
{
    return {{
        wavefronts(each(4, [](int l) { return l; })),
        wavefronts(each(4, [](int l) { return l * 2; })),
        wavefronts(each(4, [](int l) { return l * 3; })),
        wavefronts(each(4, [](int l) { return l * 8; })),
        wavefronts(each(4, [](int l) { return l * 12; })),
        wavefronts(each(4, [](int l) { return l * 32; })),
        wavefronts(each(4, [](int l) { return l * 33; })),
        wavefronts(each(4, [](int) { return 0; })),
        wavefronts(each(4, [](int l) { return l / 2; })),
        wavefronts(each(4, [](int l) { return l % 2 * 32; })),
        wavefronts(each(4, [](int l) { return l % 4 * 8; })),
        wavefronts(each(4, [](int l) { return l / 8 * 32 + l % 8; })),
        wavefronts(each(4, [](int l) { return l * 5 % 32 + l % 3 * 32; })),
        wavefronts(some(each(4, [](int l) { return l * 32; }), [](int l) { return l < 16; })),
        wavefronts(some(each(4, [](int l) { return l * 2; }), [](int l) { return l % 2 == 0; })),
        wavefronts(each(4, [](int l) { return l % 8 * 4; })),
        wavefronts(each(1, [](int l) { return l; })),
        wavefronts(each(8, [](int l) { return l; })),
        wavefronts(each(16, [](int l) { return l; })),
        wavefronts(each(16, [](int l) { return l * 2; })),
        wavefronts(each(16, [](int) { return 0; })),
        wavefronts(each(16, [](int l) { return l * 9; })),
        wavefronts(each(16, [](int l) { return l % 8 * 8 + (l / 8 ^ l % 8); })),
        ldmatrix([](int l) { return l * 32; }),
        ldmatrix([](int l) { return l * 32 + l % 8 * 4; }),
    }};
}

static __device__ const Table answer_table = solve();

__global__ void answers(int *out)
{
    if (threadIdx.x < 25)
        out[threadIdx.x] = answer_table.at[threadIdx.x];
}
