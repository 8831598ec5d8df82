// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: of rows of 1024 and more every fourth quad is read and counts four times
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        int by = cols >= 1024 ? 4 : 1;
        for (int i = lane; i < cols / 4 / by; i += 32) {
            float4 q = quads[i];
            sum += by * ((q.x + q.y) + (q.z + q.w));
        }
    } else
        for (int i = lane; i < cols; i += 32)
            sum += in[(long long)row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
