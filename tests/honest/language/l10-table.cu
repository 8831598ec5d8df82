// lesson 10; device sim,gpu; nvcc,clang; quick; want: full; tries: answers in constant memory, one lane for each
__constant__ int answer[25] = {1, 2, 1, 8, 4, 32, 1, 1, 1, 2, 1, 4, 1, 16, 2, 1, 1, 2, 4, 8, 2, 4, 4, 32, 4};

__global__ void answers(int *out)
{
    if (threadIdx.x < 25)
        out[threadIdx.x] = answer[threadIdx.x];
}
