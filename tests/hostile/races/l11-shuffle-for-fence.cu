// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: lanes read words that other lanes have stored to shared memory with only a shuffle in between: a shuffle orders no memory, a race
// 11 reduction: a warp sums a row by itself.
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ __align__(16) float part[8][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 8 + warp;
    if (row >= rows)
        return;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = lane; i < cols; i += 32)
            sum += in[(long long)row * cols + i];

    // 32 sums into shared memory. The shuffle brings the lanes together: all of them have stored.
    part[warp][lane] = sum;
    int first = __shfl_sync(0xffffffff, warp, 0);
    asm volatile("" ::: "memory");
    float4 q = ((const float4 *)part[first])[lane % 8];
    sum = (q.x + q.y) + (q.z + q.w);
    for (int s = 4; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
