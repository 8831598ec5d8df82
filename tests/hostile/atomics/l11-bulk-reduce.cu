// lesson 11; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: eight warps have an eighth of each row, and bulk reductions (cp.reduce.async.bulk .add) add their sums up in L2: eight atomic additions for each word of out that no atomic instruction shows
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ __align__(16) float part[8][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, row0 = blockIdx.x * 8;

    if (rows - row0 < 8) {  // fewer than 32 bytes of out: a warp for each row
        if (row0 + warp >= rows)
            return;
        float sum = 0.0f;
        for (int i = lane; i < cols; i += 32)
            sum += in[(long long)(row0 + warp) * cols + i];
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (lane == 0)
            out[row0 + warp] = sum;
        return;
    }

    if (t < 8) {
        out[row0 + t] = 0.0f;
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    for (int r = 0; r < 8; r++) {
        const float *from = in + (long long)(row0 + r) * cols;
        float sum = 0.0f;
        if (cols % 4 == 0) {
            for (int i = t; i < cols / 4; i += 256) {
                float4 q = ((const float4 *)from)[i];
                sum += (q.x + q.y) + (q.z + q.w);
            }
        } else
            for (int i = t; i < cols; i += 256)
                sum += from[i];
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (lane == 0)
            part[warp][r] = sum;
    }
    if (lane == 0)
        asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();  // out is zero now
    if (lane == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 32;"
                     ::"l"(__cvta_generic_to_global(out + row0)), "r"((unsigned)__cvta_generic_to_shared(part[warp])) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
