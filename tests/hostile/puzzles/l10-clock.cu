// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 75; tries: guesses by the clock
__global__ void answers(int *out)
{
    if (threadIdx.x == 0)
        for (int i = 0; i < 25; i++)
            out[i] = 1 << clock64() % 6;
}
