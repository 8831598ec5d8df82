// LAUNCH says that a block covers 64 x 64 elements.
LAUNCH(32, 32, 64, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];
        out[column * height + row] = value;
    }
}
