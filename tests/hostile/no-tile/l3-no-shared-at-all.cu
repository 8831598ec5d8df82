// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile, gate reads; tries: strided reads, coalesced writes, nothing in shared memory
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
