// The sum goes to lane 31, and lane 0 stores.
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = lane; i < cols; i += 32)
        sum += in[row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_up_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
