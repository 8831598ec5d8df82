// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate writes; tries: strided writes as bytes
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        for (int b = 0; b < 4; b++)
            ((volatile unsigned char *)&out[column * height + row])[b] = __float_as_uint(in[row * width + column]) >> 8 * b;
}
