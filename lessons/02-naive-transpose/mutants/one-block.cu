// Forgets the block indices.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = threadIdx.y;
    int row = threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];
        out[column * height + row] = value;
    }
}
