// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the row is chosen by %warpid & 7, the slot of the warp on its SM, which PTX does not tie to threadIdx and which need not start at a multiple of 8 for a block: two warps may take one row while another row is never written
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    unsigned warp;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));  // known to the hardware: no division
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + (warp & 7);
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
