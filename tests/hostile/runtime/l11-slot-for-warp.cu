// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the row of a warp comes from %warpid, the hardware's slot: it may change or skip numbers, so rows are summed twice or never; it is right only where slots happen to be dealt in eights
// 11 reduction: a warp sums a row by itself.
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    unsigned warp;  // which of the block's eight warps this is
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + warp % 8;
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
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
