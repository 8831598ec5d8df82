// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 32 x 8 threads, four elements each
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    for (int j = 0; j < 32; j += 8) {
        int column = blockIdx.x * 32 + threadIdx.y + j, row = blockIdx.y * 32 + threadIdx.x;
        if (row < height && column < width)
            out[column * height + row] = in[row * width + column];
    }
}
