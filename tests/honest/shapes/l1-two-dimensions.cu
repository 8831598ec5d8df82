// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: a block of 32 x 8 threads, numbered by hand
LAUNCH(32, 8, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int id = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = blockIdx.x * 8192 + id; i < min(n, (blockIdx.x + 1) * 8192); i += blockDim.x * blockDim.y)
        out[i] = in[i];
}
