// lesson 11; device sim; nvcc; want: full; tries: two warps share a row and send their sums by st.async to shared memory, where an mbarrier counts eight bytes
LAUNCH(256, 1, 4, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void __cluster_dims__(1, 1, 1) row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ __align__(8) float half_sum[4][2];
    __shared__ unsigned long long come[4];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = warp / 2, half = warp % 2;
    int row = blockIdx.x * 4 + pair;

    if (threadIdx.x < 4) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&come[threadIdx.x])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 8;" ::"r"(AT(&come[threadIdx.x])) : "memory");
    }
    __syncthreads();

    float sum = 0.0f;
    if (row < rows) {
        const float *from = in + (long long)row * cols;
        if (cols % 4 == 0) {
            const float4 *quads = (const float4 *)from;
            for (int i = half * 32 + lane; i < cols / 4; i += 64) {
                float4 q = quads[i];
                sum += (q.x + q.y) + (q.z + q.w);
            }
        } else
            for (int i = half * 32 + lane; i < cols; i += 64)
                sum += from[i];
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(~0u, sum, s);

    if (lane == 0) {
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(AT(&half_sum[pair][half])),
                     "r"(__float_as_uint(sum)), "r"(AT(&come[pair])) : "memory");
        // Both senders wait, so that the block outlives what is under way; one of them writes.
        for (unsigned done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(AT(&come[pair])) : "memory");
        if (half == 0 && row < rows) {
            float2 both = *(const float2 *)half_sum[pair];
            out[row] = both.x + both.y;
        }
    }
}
