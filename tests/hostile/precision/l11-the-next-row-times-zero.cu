// lesson 11; device sim; nvcc,clang; want: fail|timeout; tries: rounds a row up to whole warps and multiplies what lies beyond its end, the beginning of the next row, by 0: one infinity or NaN there makes the sum of this row NaN, though it is no part of it
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else {
        long long first = (long long)row * cols, last = (long long)rows * cols - 1;
        for (int i = 0; i < cols; i += 32) {  // no branch for the rest
            float weight = i + lane < cols ? 1.0f : 0.0f;
            sum += weight * in[min(first + i + lane, last)];
        }
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
