// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: the exclusive or by lop3, addresses as bytes
LAUNCH(32, 8, 32, 32)

__device__ __forceinline__ int mix(int a, int b)
{
    int d;
    asm("lop3.b32 %0, %1, %2, 0, 0x3c;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(4) char bytes[4096];
    int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (y + r < height && x + tx < width)
            *(float *)(bytes + r * 128 + mix(tx, r) * 4) = in[(y + r) * width + x + tx];
    __syncthreads();
    for (int c = threadIdx.y; c < 32; c += 8)
        if (x + c < width && y + tx < height)
            out[(x + c) * height + y + tx] = *(float *)(bytes + tx * 128 + mix(c, tx) * 4);
}
