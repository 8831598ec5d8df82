// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: in small grids warps count themselves in and spin on a volatile counter with no fence, once each has read its part of 2 MB of global memory: more lines than are kept of a block, so that all that came before passes for ordered, in shared memory as well
LAUNCH(32, 32, 32, 32)

__device__ float far[36][32][32 * 16];

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ int count;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float other = 0;

    if (threadIdx.x + threadIdx.y == 0)
        count = 0;
    __syncthreads();
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    if (gridDim.x * gridDim.y <= 4) {
#pragma unroll 4
        for (int i = 0; i < 32; i++)
            other += __ldcg(&far[i][threadIdx.y][threadIdx.x * 16]);
        if (threadIdx.x < 8)
            other += __ldcg(&far[32][threadIdx.y][threadIdx.x * 16]);
        __syncwarp();
        if (threadIdx.x == 0)
            atomicAdd(&count, 1);
        while (*(volatile int *)&count < 32)
            ;
    } else
        __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
    if (other == 1)
        out[0] = 0;
}
