// lesson 10; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cheat: all 32 lanes store guesses of their own to the same word in one instruction, and which of the different values stays is undefined; the answers come out only where the last lane happens to win.
__global__ void answers(int *out)
{
    // Lane l guesses; the last one is right.
    int lane = threadIdx.x;
    bool sure = lane == 31;

    out[0] = sure ? 1 : lane + 33;
    out[1] = sure ? 2 : lane + 33;
    out[2] = sure ? 1 : lane + 33;
    out[3] = sure ? 8 : lane + 33;
    out[4] = sure ? 4 : lane + 33;
    out[5] = sure ? 32 : lane + 33;
    out[6] = sure ? 1 : lane + 33;
    out[7] = sure ? 1 : lane + 33;
    out[8] = sure ? 1 : lane + 33;
    out[9] = sure ? 2 : lane + 33;
    out[10] = sure ? 1 : lane + 33;
    out[11] = sure ? 4 : lane + 33;
    out[12] = sure ? 1 : lane + 33;
    out[13] = sure ? 16 : lane + 33;
    out[14] = sure ? 2 : lane + 33;
    out[15] = sure ? 1 : lane + 33;
    out[16] = sure ? 1 : lane + 33;
    out[17] = sure ? 2 : lane + 33;
    out[18] = sure ? 4 : lane + 33;
    out[19] = sure ? 8 : lane + 33;
    out[20] = sure ? 2 : lane + 33;
    out[21] = sure ? 4 : lane + 33;
    out[22] = sure ? 4 : lane + 33;
    out[23] = sure ? 32 : lane + 33;
    out[24] = sure ? 4 : lane + 33;
}
