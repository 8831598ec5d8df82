// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 40; tries: each lane writes another answer to the same place
__global__ void answers(int *out)
{
    for (int i = 0; i < 25; i++)
        out[i] = threadIdx.x + 1;
}
