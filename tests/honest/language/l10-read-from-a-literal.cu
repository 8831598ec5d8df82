// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: answers as powers of two spelt by one string literal, read at compile time, one lane for each puzzle
// All of them are powers of two: the digits are their exponents, in the groups of the exercise.
constexpr const char *EXPONENTS = "0103250 001020 4100 123122 52";

// Digit number `index` of the literal, blanks left out.
constexpr int digit(int index, const char *text = EXPONENTS)
{
    return *text == ' ' ? digit(index, text + 1) : index == 0 ? *text - '0' : digit(index - 1, text + 1);
}

static_assert(digit(0) == 0 && digit(5) == 5 && digit(24) == 2, "25 digits");

// Three bits for each puzzle: 21 fit a word of 64.
template <int FIRST, int LAST>
struct Packed {
    static constexpr unsigned long long value = (unsigned long long)digit(FIRST) | Packed<FIRST + 1, LAST>::value << 3;
};

template <int LAST>
struct Packed<LAST, LAST> {
    static constexpr unsigned long long value = 0;
};

__global__ void __launch_bounds__(32) answers(int *out)
{
    constexpr unsigned long long low = Packed<0, 20>::value, high = Packed<20, 25>::value;

    const unsigned lane = threadIdx.x;
    if (lane >= 25)
        return;
    unsigned exponent;
    asm("{\n\t.reg .u64 field;\n\tbfe.u64 field, %1, %2, 3;\n\tcvt.u32.u64 %0, field;\n\t}"
        : "=r"(exponent) : "l"(lane < 20 ? low : high), "r"(3 * (lane < 20 ? lane : lane - 20)));
    out[lane] = 1 << exponent;
}
