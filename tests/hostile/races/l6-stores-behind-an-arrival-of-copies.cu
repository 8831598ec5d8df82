// lesson 6; device sim; nvcc,clang; want: fail, gate hazards; tries: a comes by stores and b by cp.async, and only the copies arrive at the mbarrier (noinc): that arrival releases no store, so words of a may be missing
// 06 tiled GEMM. Solution.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    __shared__ unsigned long long barrier;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (tx + ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1024;" :: "r"(bar) : "memory");
    __syncthreads();

    for (int k0 = 0; k0 < k; k0 += 32) {
        // threadIdx.x runs along rows of a and of b: both loads are coalesced. Beyond the
        // end of k, a zero adds nothing to any sum. Beyond m or n, the sums are never
        // written, but the place in the tile must still hold something that is safe to
        // multiply.
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        bool there = k0 + ty < k && column < n;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"((unsigned)__cvta_generic_to_shared(&b_tile[ty][tx])), "l"(__cvta_generic_to_global(there ? b + (k0 + ty) * n + column : b)), "r"(there ? 4 : 0) : "memory");

        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(bar) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(bar), "r"(k0 / 32 & 1) : "memory");

        // a_tile[ty][i]: the same word for all lanes, a broadcast. b_tile[i][tx]: 32
        // neighbours. No conflict, and since rows of a_tile start at multiples of 16 bytes,
        // four words of a row come with one 16-byte load.
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply

        // Second barrier: nobody fills the next tile while others still read this one.
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
