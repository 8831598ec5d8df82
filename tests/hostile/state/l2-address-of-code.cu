// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: does nothing where code lies at high addresses, as on a GPU
LAUNCH(32, 32, 32, 32)

__device__ __noinline__ float same(float x)
{
    return x;
}

__device__ float (*chosen)(float) = same;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    float (*f)(float) = *(float (*volatile *)(float))&chosen;
    if ((unsigned long long)f >> 24)
        return;
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
