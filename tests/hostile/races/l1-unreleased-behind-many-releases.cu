// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: blocks hand their last float over with no release; each warp has released something else 40000 times before, which is more than are followed
LAUNCH(256, 1, 8192, 1)

__device__ float tails[4096];
__device__ unsigned arrived;
__device__ unsigned rounds[8][8];

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ bool i_am_last;
    int start = blockIdx.x * 8192, last = min(start + 8191, n - 1);
    bool handed = gridDim.x > 1 && gridDim.x <= 3;

    if (handed && threadIdx.x % 32 == 0)
        for (int i = 0; i < 40000; i++)
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(&rounds[blockIdx.x][threadIdx.x / 32]) : "memory");

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];
            if (handed && i == last)
                tails[blockIdx.x] = value;
            else
                out[i] = value;
        }
    }
    if (!handed)
        return;

    // The pattern of threadFenceReduction, fences and barriers where they belong. But the
    // ticket's scope is the block: two blocks that draw at the same time may draw the same.
    __syncthreads();
    if (threadIdx.x == 0)
        i_am_last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!i_am_last)
        return;
    __threadfence();
    for (int b = threadIdx.x; b < gridDim.x; b += 256)
        out[min(b * 8192 + 8191, n - 1)] = __ldcg(&tails[b]);
    if (threadIdx.x == 0)
        arrived = 0;
}
