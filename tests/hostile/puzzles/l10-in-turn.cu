// lesson 10; device sim,gpu; nvcc,clang; quick; want: fail, at most 40; tries: writes every number to every place, one after another
__global__ void answers(int *out)
{
    if (threadIdx.x == 0)
        for (int guess = 1; guess <= 32; guess++)
            for (int i = 0; i < 25; i++)
                ((volatile int *)out)[i] = guess;
}
