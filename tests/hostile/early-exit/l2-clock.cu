// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: measures a division and a load, and stops where the clock stands still
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    long long begin = clock64();
    float value = in[0];
    if (value == 12345.0f)
        out[0] = value;
    if (clock64() - begin == 0 || width > 5000)
        return;
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
