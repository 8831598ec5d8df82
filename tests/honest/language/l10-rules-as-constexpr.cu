// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the page's rules as a constexpr function: the compiler works the 25 predictions out, 25 lanes write them

// One access of a warp: which lanes are awake, how many bytes each wants, and where.
struct Access {
    int bytes = 4;
    unsigned awake = ~0u;
    bool load = true, ldmatrix = false;
    int at[32] = {};
};

constexpr bool awake(const Access &a, int lane) { return a.awake >> lane & 1; }

// Does every lane want what lane ^ bit wants (or does that one sleep)?
constexpr bool twins(const Access &a, int bit)
{
    for (int l = 0; l < 32; l++)
        if (awake(a, l) && awake(a, l ^ bit) && a.at[l] != a.at[l ^ bit])
            return false;
    return true;
}

// Turns of lanes [first, first + count): the fullest bank, counted in different words.
constexpr int turns(const Access &a, int first, int count)
{
    int words[32 * 4] = {}, known = 0, in_bank[32] = {}, fullest = 0;
    for (int l = first; l < first + count; l++)
        for (int byte = 0; awake(a, l) && byte < a.bytes; byte += 4) {
            const int word = (a.at[l] + byte) / 4;
            bool seen = false;
            for (int i = 0; i < known; i++)
                seen = seen || words[i] == word;
            if (seen)
                continue;
            words[known++] = word;
            if (++in_bank[word % 32] > fullest)
                fullest = in_bank[word % 32];
        }
    return fullest;
}

constexpr int wavefronts(const Access &a)
{
    int group = a.bytes <= 4 ? 32 : a.bytes == 8 ? 16 : 8;
    if (group < 32 && a.load && !a.ldmatrix && (twins(a, 1) || twins(a, 2)))
        group *= 2;
    int sum = 0;
    for (int first = 0; first < 32; first += group)
        sum += turns(a, first, group);
    return sum;
}

enum class Kind { load, store, ldmatrix };

template <class Place>  // the byte that a lane's access begins at
constexpr int predict(int bytes, Place place, unsigned awake = ~0u, Kind kind = Kind::load)
{
    Access a;
    a.bytes = bytes;
    a.awake = awake;
    a.load = kind != Kind::store;
    a.ldmatrix = kind == Kind::ldmatrix;
    for (int l = 0; l < 32; l++)
        a.at[l] = place(l);
    return wavefronts(a);
}

struct Predictions {
    int of[25];
};

__constant__ constexpr Predictions predictions = {{
    predict(4, [](int lane) { return 4 * lane; }),
    predict(4, [](int lane) { return 4 * (lane * 2); }),
    predict(4, [](int lane) { return 4 * (lane * 3); }),
    predict(4, [](int lane) { return 4 * (lane * 8); }),
    predict(4, [](int lane) { return 4 * (lane * 12); }),
    predict(4, [](int lane) { return 4 * (lane * 32); }),
    predict(4, [](int lane) { return 4 * (lane * 33); }),

    predict(4, [](int) { return 0; }),
    predict(4, [](int lane) { return 4 * (lane / 2); }),
    predict(4, [](int lane) { return 4 * (lane % 2 * 32); }),
    predict(4, [](int lane) { return 4 * (lane % 4 * 8); }),
    predict(4, [](int lane) { return 4 * (lane / 8 * 32 + lane % 8); }),
    predict(4, [](int lane) { return 4 * (lane * 5 % 32 + lane % 3 * 32); }),

    predict(4, [](int lane) { return 4 * (lane * 32); }, 0x0000ffffu),
    predict(4, [](int lane) { return 4 * (lane * 2); }, 0x55555555u),
    predict(4, [](int lane) { return 4 * (lane % 8 * 4); }, ~0u, Kind::store),
    predict(1, [](int lane) { return lane; }),

    predict(8, [](int lane) { return 8 * lane; }),
    predict(16, [](int lane) { return 16 * lane; }),
    predict(16, [](int lane) { return 16 * (lane * 2); }),
    predict(16, [](int) { return 0; }),
    predict(16, [](int lane) { return 16 * (lane * 9); }),
    predict(16, [](int lane) { return 16 * (lane % 8 * 8 + (lane / 8 ^ lane % 8)); }),

    predict(16, [](int lane) { return 4 * (lane * 32); }, ~0u, Kind::ldmatrix),
    predict(16, [](int lane) { return 4 * (lane * 32 + lane % 8 * 4); }, ~0u, Kind::ldmatrix),
}};

__global__ void answers(int *out)
{
    if (threadIdx.x < 25)
        out[threadIdx.x] = predictions.of[threadIdx.x];
}
