// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: two rows a warp, 16 lanes each, but the shuffles of both halves name lanes 0 to 15 only
LAUNCH(256, 1, 16, 1)
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 16, row = blockIdx.x * 16 + threadIdx.x / 16;
    float sum = 0.0f;
    if (row < rows) {
        if (cols % 4 == 0) {
            const float4 *quads = (const float4 *)(in + (long long)row * cols);
            for (int i = lane; i < cols / 4; i += 16) {
                float4 q = quads[i];
                sum += (q.x + q.y) + (q.z + q.w);
            }
        } else
            for (int i = lane; i < cols; i += 16)
                sum += in[(long long)row * cols + i];
    }
#pragma unroll
    for (int s = 8; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffff, sum, s, 16);
    if (lane == 0 && row < rows)
        out[row] = sum;
}
