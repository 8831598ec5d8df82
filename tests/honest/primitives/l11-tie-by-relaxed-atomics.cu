// lesson 11; device sim; nvcc,clang; want: full; tries: two warps share a row; each sets its flag and asks for the other by relaxed atomics on two different words with fence.acq_rel between: of two atomics on one word the later one reads what the earlier one wrote, so that its fence comes behind the other one's, and one of the two sees the flag
LAUNCH(256, 1, 4, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[8];
    __shared__ int done[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, half = warp % 2, row = blockIdx.x * 4 + warp / 2;
    if (threadIdx.x < 8)
        done[threadIdx.x] = 0;
    __syncthreads();
    if (row >= rows)
        return;

    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = half * 32 + lane; i < cols / 4; i += 64) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = half * 32 + lane; i < cols; i += 64)
            sum += in[(long long)row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);

    if (lane == 0) {
        part[warp] = sum;
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        atomicExch(&done[warp], 1);
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        if (atomicOr(&done[warp ^ 1], 0)) {  // the later one of the two; in a tie both store the same
            asm volatile("fence.acq_rel.cta;" ::: "memory");
            *(volatile float *)&out[row] = sum + part[warp ^ 1];
        }
    }
}
