// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 36, at least 36; tries: one for every puzzle
__global__ void answers(int *out)
{
    if (threadIdx.x == 0)
        for (int i = 0; i < 25; i++)
            out[i] = 1;
}
