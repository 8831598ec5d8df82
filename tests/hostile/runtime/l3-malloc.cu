// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; want gpu: fail|refused|timeout; tries: the tile comes from malloc in the kernel
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    float *tile = (float *)malloc(4096);
    if (tile)
        tile[0] = 1;
    free(tile);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
