// What speed ratios compare with: strided writes.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;

    if (row < height && column < width) {
        float value = in[row * width + column];
        out[column * height + row] = value;
    }
}
