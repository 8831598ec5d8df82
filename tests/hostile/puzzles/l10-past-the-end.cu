// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 40; tries: writes the answers past the end as well
__global__ void answers(int *out)
{
    for (int i = 0; i < 64; i++)
        out[i] = i;
}
