// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the compiler itself counts the wavefronts: the page's five rules as constexpr functions, one lane stores each answer
#include <utility>

// One access of a warp: the byte at which each lane's part begins, or -1 for a lane that sleeps.
struct Access {
    int bytes;     // of each lane: 1, 4, 8 or 16
    bool twins;    // loads of 8 and 16 bytes; not ldmatrix, not stores
    int at[32];
};

template <typename Index>
constexpr Access access(int bytes, Index index)
{
    Access x{bytes, bytes >= 8, {}};
    for (int lane = 0; lane < 32; ++lane)
        x.at[lane] = index(lane) * bytes;
    return x;
}

template <typename Index>
constexpr Access words_if(bool (*awake)(int), Index index)
{
    Access x{4, false, {}};
    for (int lane = 0; lane < 32; ++lane)
        x.at[lane] = awake(lane) ? index(lane) * 4 : -1;
    return x;
}

template <typename Index>
constexpr Access ldmatrix(Index word)
{
    Access x{16, false, {}};
    for (int lane = 0; lane < 32; ++lane)
        x.at[lane] = word(lane) * 4;
    return x;
}

constexpr bool in_twins(const Access &x, int bit)
{
    for (int lane = 0; lane < 32; ++lane)
        if (x.at[lane] >= 0 && x.at[lane ^ bit] >= 0 && x.at[lane] != x.at[lane ^ bit])
            return false;
    return true;
}

// Different words in the fullest bank, for lanes first to first + lanes - 1.
constexpr int turns(const Access &x, int first, int lanes)
{
    int words[128] = {}, have = 0, bank[32] = {}, most = 0;
    for (int lane = first; lane < first + lanes; ++lane)
        for (int byte = 0; x.at[lane] >= 0 && byte < x.bytes; byte += 4) {
            const int word = (x.at[lane] + byte) / 4;
            bool known = false;
            for (int i = 0; i < have; ++i)
                known = known || words[i] == word;
            if (known)
                continue;
            words[have++] = word;
            const int now = ++bank[word % 32];
            most = now > most ? now : most;
        }
    return most;
}

constexpr int wavefronts(const Access &x)
{
    int lanes = x.bytes == 16 ? 8 : x.bytes == 8 ? 16 : 32, sum = 0;
    if (x.twins && (in_twins(x, 1) || in_twins(x, 2)))
        lanes *= 2;
    for (int first = 0; first < 32; first += lanes)
        sum += turns(x, first, lanes);
    return sum;
}

constexpr bool lower_half(int lane) { return lane < 16; }
constexpr bool even(int lane) { return lane % 2 == 0; }

struct Answers {
    int of[25];
};

constexpr Answers ANSWERS{{
    wavefronts(access(4, [](int lane) { return lane; })),
    wavefronts(access(4, [](int lane) { return lane * 2; })),
    wavefronts(access(4, [](int lane) { return lane * 3; })),
    wavefronts(access(4, [](int lane) { return lane * 8; })),
    wavefronts(access(4, [](int lane) { return lane * 12; })),
    wavefronts(access(4, [](int lane) { return lane * 32; })),
    wavefronts(access(4, [](int lane) { return lane * 33; })),

    wavefronts(access(4, [](int) { return 0; })),
    wavefronts(access(4, [](int lane) { return lane / 2; })),
    wavefronts(access(4, [](int lane) { return lane % 2 * 32; })),
    wavefronts(access(4, [](int lane) { return lane % 4 * 8; })),
    wavefronts(access(4, [](int lane) { return lane / 8 * 32 + lane % 8; })),
    wavefronts(access(4, [](int lane) { return lane * 5 % 32 + lane % 3 * 32; })),

    wavefronts(words_if(lower_half, [](int lane) { return lane * 32; })),
    wavefronts(words_if(even, [](int lane) { return lane * 2; })),
    wavefronts(access(4, [](int lane) { return lane % 8 * 4; })),
    wavefronts(access(1, [](int lane) { return lane; })),

    wavefronts(access(8, [](int lane) { return lane; })),
    wavefronts(access(16, [](int lane) { return lane; })),
    wavefronts(access(16, [](int lane) { return lane * 2; })),
    wavefronts(access(16, [](int) { return 0; })),
    wavefronts(access(16, [](int lane) { return lane * 9; })),
    wavefronts(access(16, [](int lane) { return lane % 8 * 8 + (lane / 8 ^ lane % 8); })),

    wavefronts(ldmatrix([](int lane) { return lane * 32; })),
    wavefronts(ldmatrix([](int lane) { return lane * 32 + lane % 8 * 4; })),
}};

// The page's own examples.
static_assert(wavefronts(access(4, [](int lane) { return lane * 6; })) == 2, "");
static_assert(wavefronts(access(4, [](int lane) { return lane / 4 * 32 + lane % 4; })) == 8, "");
static_assert(wavefronts(access(16, [](int lane) { return lane * 4; })) == 16, "");

template <int... I>
__device__ __forceinline__ void store_all(int *out, int lane, std::integer_sequence<int, I...>)
{
    ((lane == I ? (void)(out[I] = std::integral_constant<int, ANSWERS.of[I]>::value) : (void)0), ...);
}

__global__ void answers(int *out)
{
    store_all(out, threadIdx.x, std::make_integer_sequence<int, 25>());
}
