// Exchanges the block indices as well, so the grid covers a matrix of the other shape.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.y * 32 + threadIdx.y;
    int row = blockIdx.x * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];
        out[column * height + row] = value;
    }
}
