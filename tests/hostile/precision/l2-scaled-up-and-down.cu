// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: floats from 2 to the 28th on come out as infinity
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width) {
        float up = in[row * width + column] * 0x1p100f;
        out[column * height + row] = up * 0x1p-100f;
    }
}
