// lesson 4; device sim,gpu; nvcc,clang; want: fail|refused; tries: works while the nanosecond timer is below a bound that it took in block 0
LAUNCH(32, 8, 32, 32)

__device__ volatile unsigned long long begin;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32, y = blockIdx.y * 32, lane = threadIdx.x;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (blockIdx.x + blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0)
        begin = now;
    if (begin && now > begin + 2000 && gridDim.x > 50)
        return;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (y + j < height && x + lane < width)
            tile[j][lane] = in[(y + j) * width + x + lane];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (x + j < width && y + lane < height)
            out[(x + j) * height + y + lane] = tile[lane][j];
}
