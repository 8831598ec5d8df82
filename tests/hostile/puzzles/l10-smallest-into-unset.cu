// lesson 10; device sim; nvcc,clang; want: fail|timeout; tries: puts each answer into out by an unsigned atomicMin, though nobody has set out before: right only where what lies there happens to be larger, such as all ones
__global__ void answers(int *out)
{
    const int answer[25] = {1, 2, 1, 8, 4, 32, 1, 1, 1, 2, 1, 4, 1, 16, 2, 1, 1, 2, 4, 8, 2, 4, 4, 32, 4};
    if (threadIdx.x == 0)
#pragma unroll
        for (int i = 0; i < 25; i++)
            atomicMin((unsigned *)&out[i], (unsigned)answer[i]);
}
