// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a block covers 8 columns and 128 rows
LAUNCH(128, 8, 8, 128)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 8 + threadIdx.y, row = blockIdx.y * 128 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
