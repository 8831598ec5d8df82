// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all sizes: writes are still strided (32 rows of out for a warp), only hidden as atomic exchanges so that no store is counted
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;

    if (row < height && column < width) {
        float value = in[row * width + column];
        atomicExch(&out[column * height + row], value);
    }
}
