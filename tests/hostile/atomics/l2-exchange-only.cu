// lesson 2; device sim,gpu; nvcc,clang; want: fail|not-started, gate writes; tries: strided writes as exchanges
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        atomicExch(&out[column * height + row], in[row * width + column]);
}
