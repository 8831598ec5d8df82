// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: warps count themselves with a release and lane 0 alone acquires the full count; without a __syncwarp() nothing orders what the other 31 lanes read from the tile
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned filled;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    unsigned counter = (unsigned)__cvta_generic_to_shared(&filled);

    if (threadIdx.x == 0 && threadIdx.y == 0)
        filled = 0;
    __syncthreads();

    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];

    __syncwarp();  // the row is there before lane 0 says so
    if (threadIdx.x == 0) {
        asm volatile("red.release.cta.shared::cta.add.u32 [%0], 1;" ::"r"(counter) : "memory");
        unsigned seen;
        do
            asm volatile("ld.acquire.cta.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(counter) : "memory");
        while (seen != 32);
    }
    // The other lanes have asked nobody, and did not wait for lane 0.

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
}
