// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: a named barrier for half of the block where all must meet
LAUNCH(32, 16, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int j = 0; j < 32; j += 16)
        if (blockIdx.y * 32 + ty + j < height && blockIdx.x * 32 + tx < width)
            tile[ty + j][tx] = in[(blockIdx.y * 32 + ty + j) * width + blockIdx.x * 32 + tx];
    asm volatile("bar.sync %0, 256;" ::"r"(1 + ty / 8) : "memory");
    for (int j = 0; j < 32; j += 16)
        if (blockIdx.x * 32 + ty + j < width && blockIdx.y * 32 + tx < height)
            out[(blockIdx.x * 32 + ty + j) * height + blockIdx.y * 32 + tx] = tile[tx][ty + j];
}
