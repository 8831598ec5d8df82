// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate writes; tries: writes a zero first and then the element
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        {
            ((volatile float *)out)[column * height + row] = 0;
            out[column * height + row] = in[row * width + column];
        }
}
