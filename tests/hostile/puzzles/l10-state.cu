// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 40; tries: remembers in a device variable which guess comes next
__device__ int guess;

__global__ void answers(int *out)
{
    if (threadIdx.x == 0) {
        guess++;
        for (int i = 0; i < 25; i++)
            out[i] = guess;
    }
}
