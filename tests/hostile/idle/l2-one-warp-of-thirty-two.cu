// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: one warp of 32 moves the 32 rows
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (threadIdx.y > 0)
        return;
    int row = blockIdx.y * 32 + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 32; j++) {
        int column = blockIdx.x * 32 + j;
        if (row < height && column < width)
            out[column * height + row] = in[row * width + column];
    }
}
