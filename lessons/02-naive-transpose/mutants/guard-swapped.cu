// The guard compares each index with the other dimension.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < width && column < height) {
        float value = in[row * width + column];
        out[column * height + row] = value;
    }
}
