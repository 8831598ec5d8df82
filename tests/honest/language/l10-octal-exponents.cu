// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: all predictions are powers of two: their exponents stand as octal digits in two numbers, and a shift takes them out again

// Puzzle 1 is the last digit, puzzle 2 the one before it, and so on.
//   1 to 13    1  2  1  8  4 32  1 | 1  1  2  1  4  1
//   14 to 25   16  2  1  1 | 2  4  8  2  4  4 | 32  4
#define PUZZLES_1_TO_13  00201000523010ull
#define PUZZLES_14_TO_25 0252213210014ull

__global__ void answers(int *out)
{
    const unsigned lane = threadIdx.x;
    unsigned exponent;

    switch (lane / 13) {
    case 0:
        exponent = (unsigned)(PUZZLES_1_TO_13 >> 3 * lane) & 7;
        break;
    case 1:
        if (lane < 25) {
            exponent = (unsigned)(PUZZLES_14_TO_25 >> 3 * (lane - 13)) & 7;
            break;
        }
        [[fallthrough]];
    default:
        return;  // lanes 25 to 31 have no puzzle
    }
    out[lane] = 1 << exponent;
}
