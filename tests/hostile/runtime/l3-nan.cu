// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate correct, at most 0; tries: fills out with the poison's kind of number
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = __int_as_float(0x7fffffff);
}
