// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: half a warp sums a row; shuffles of width 16
LAUNCH(256, 1, 16, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 16, row = blockIdx.x * 16 + threadIdx.x / 16;
    bool mine = row < rows;
    if (!mine)
        row = rows - 1;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 16) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = lane; i < cols; i += 16)
            sum += in[(long long)row * cols + i];
    for (int s = 8; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s, 16);
    if (lane == 0 && mine)
        out[row] = sum;
}
