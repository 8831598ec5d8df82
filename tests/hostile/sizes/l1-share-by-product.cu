// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each block's share begins at block * n / blocks in 32 bits, which wraps at the GPU's size (65536 blocks, n = 2^26)
LAUNCH(256, 1, 1024, 1)
__global__ void copy(float *out, const float *in, int n)
{
    unsigned first = blockIdx.x * (unsigned)n / gridDim.x, last = (blockIdx.x + 1) * (unsigned)n / gridDim.x;
    for (unsigned i = first + threadIdx.x; i < last; i += 256)
        out[i] = in[i];
}
