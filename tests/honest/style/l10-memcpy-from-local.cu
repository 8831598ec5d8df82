// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: all 25 right numbers as a struct literal on the stack, laid over out by one memcpy of one thread: the predictions are constants, and all 25 are right

struct Predictions {
    int strides[7];    // 1 .. 7
    int shared[6];     // 8 .. 13
    int asleep[4];     // 14 .. 17
    int wide[6];       // 18 .. 23
    int matrices[2];   // 24, 25
};
static_assert(sizeof(Predictions) == 25 * sizeof(int), "25 puzzles");

__global__ void answers(int *out)
{
    if (threadIdx.x)
        return;
    const Predictions mine = {
        {1, 2, 1, 8, 4, 32, 1},
        {1, 1, 2, 1, 4, 1},
        {16, 2, 1, 1},
        {2, 4, 8, 2, 4, 4},
        {32, 4},
    };
    memcpy(out, &mine, sizeof mine);
}
