// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: every block hands its corner over in a global array, and the last block reads it by ld.global.nc (__ldg), which is only allowed for what the kernel does not write
LAUNCH(32, 32, 32, 32)

__device__ float corners[4096];
__device__ unsigned arrived;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ bool i_am_last;
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    unsigned blocks = gridDim.x * gridDim.y;
    bool handed = blocks > 1 && blocks <= 4096;
    int id = threadIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];
        if (handed && id == 0)
            corners[blockIdx.y * gridDim.x + blockIdx.x] = value;
        else
            out[column * height + row] = value;
    }
    if (!handed)
        return;

    __threadfence();
    __syncthreads();
    if (id == 0)
        i_am_last = atomicAdd(&arrived, 1u) == blocks - 1;
    __syncthreads();
    if (!i_am_last)
        return;
    __threadfence();
    // Everything is ordered. But the non-coherent path promises nothing about what was
    // written during the launch.
    for (unsigned b = id; b < blocks; b += 1024)
        out[b % gridDim.x * 32 * height + b / gridDim.x * 32] = __ldg(&corners[b]);
    if (id == 0)
        arrived = 0;
}
