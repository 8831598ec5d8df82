// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate writes|tile; tries: no tile, strided writes hidden as atomics (global_atomic_sectors), one dummy shared access
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[32];
    if (threadIdx.y == 0) { dummy[threadIdx.x] = 1; (void)dummy[threadIdx.x]; }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        atomicExch(&out[column * height + row], in[row * width + column]);
}
