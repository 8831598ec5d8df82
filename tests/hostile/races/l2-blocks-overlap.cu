// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate writes; tries: blocks of 32 x 32 where LAUNCH says 16 x 16: each element is written by four
LAUNCH(32, 32, 16, 16)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 16 + threadIdx.y, row = blockIdx.y * 16 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
