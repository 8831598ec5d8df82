// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate reads; tries: reads strided, after a coalesced read of the same that only warms the cache
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[32];
    dummy[threadIdx.x] = 1;
    (void)dummy[threadIdx.x];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    if (r < height && c < width)
        (void)((volatile float *)in)[r * width + c];
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
