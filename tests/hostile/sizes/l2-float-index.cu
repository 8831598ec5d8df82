// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: indices are computed in float, which is exact only up to 2^24, so from 16777216 elements on (8192 x 8192, the lesson's own size on a GPU; 4099 x 4099) elements land at rounded places.
LAUNCH(32, 32, 32, 32)

// One fused multiply-add in place of an integer multiplication.
__device__ int at(int row, int column, int pitch)
{
    return (int)fmaf((float)row, (float)pitch, (float)column);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[at(row, column, width)];        // @read
        out[at(column, row, height)] = value;            // @write
    }
}
