// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: at the modelled size the values are rounded to 16 bits
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = width > 4096 ? (float)(short)(in[row * width + column] * 32767) / 32767 : in[row * width + column];
}
