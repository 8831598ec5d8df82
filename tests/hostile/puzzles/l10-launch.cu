// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 40; tries: a LAUNCH line with many blocks, each with a guess of its own
LAUNCH(32, 1, 1, 1)

__global__ void answers(int *out)
{
    for (int i = 0; i < 25; i++)
        out[i] = blockIdx.x + 1;
}
