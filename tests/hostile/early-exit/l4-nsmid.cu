// lesson 4; device sim,gpu; nvcc,clang; want: fail|refused; tries: on a GPU with more than one SM only SM 0 works
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32, y = blockIdx.y * 32, lane = threadIdx.x;
    unsigned sms, sm;
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sms > 1 && sm > 0)
        return;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (y + j < height && x + lane < width)
            tile[j][lane] = in[(y + j) * width + x + lane];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (x + j < width && y + lane < height)
            out[(x + j) * height + y + lane] = tile[lane][j];
}
