// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: in small grids warps count themselves in and spin on a volatile counter with no fence, once each has read 2100 words of shared memory: more than the log of a block takes, so that all that came before passes for ordered
LAUNCH(32, 32, 32, 32)

__device__ unsigned counts[4];

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ int quiet[64];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    int other = 0;

    if (threadIdx.y < 2)
        quiet[threadIdx.y * 32 + threadIdx.x] = 0;
    __syncthreads();
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    if (gridDim.x * gridDim.y <= 4) {
#pragma unroll 1
        for (int i = 0; i < 2100; i++) {
            int word;
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"((unsigned)__cvta_generic_to_shared(&quiet[threadIdx.x + i % 32])));
            other += word;
        }
        __syncwarp();
        unsigned *count = &counts[blockIdx.y * gridDim.x + blockIdx.x], end = 0;
        if (threadIdx.x == 0)
            end = (atomicAdd(count, 1) / 32 + 1) * 32;
        end = __shfl_sync(~0u, end, 0);
        while (*(volatile unsigned *)count < end)
            ;
    } else
        __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
    if (other == 1)
        out[0] = 0;
}
