// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: as slow as it may be without a timeout
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    float z = 0; for (int i = 0; i < 9000; i++) { z += ((volatile float *)in)[0]; } if (z == 7.7f) out[0] = z;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) out[column * height + row] = in[row * width + column];
}
