// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: 512 threads with two rows each; copies report to an mbarrier by themselves (cp.async.mbarrier.arrive.noinc), and the parity is counted; an assert that never fires
LAUNCH(32, 16, 32, 32)

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

class CopyBarrier {
    unsigned at_;
    unsigned parity_ = 0;

public:
    __device__ explicit CopyBarrier(unsigned long long *word) : at_(shared_address(word)) {}

    __device__ void make(unsigned threads) const
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at_), "r"(threads) : "memory");
    }

    // This thread arrives, when its copies so far are there; it does not wait for that itself.
    __device__ void arrive_after_copies() const
    {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at_) : "memory");
    }

    __device__ void wait()
    {
        unsigned over;
        do
            asm volatile("{\n\t.reg .pred over;\n\t"
                         "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, over;\n\t}"
                         : "=r"(over) : "r"(at_), "r"(parity_) : "memory");
        while (!over);
        parity_ ^= 1;
    }
};

// One float, or 0 where there is none; then `from` is not read.
__device__ __forceinline__ void copy_or_zero(float *to, const float *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(__cvta_generic_to_global(from)),
                 "r"(exists ? 4 : 0) : "memory");
}

__global__ void __launch_bounds__(512) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ float b_tile[32][32];
    __shared__ unsigned long long word;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;

    assert(blockDim.x == 32 && blockDim.y == 16);  // as LAUNCH says

    CopyBarrier copies(&word);
    if (tx + ty == 0)
        copies.make(32 * 16);
    __syncthreads();

    float sums[2] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int r = ty + 16 * h, row = row0 + 16 * h;
            const bool in_a = row < m && k0 + tx < k, in_b = k0 + r < k && column < n;
            copy_or_zero(&a_tile[r][tx], in_a ? a + (size_t)row * k + k0 + tx : a, in_a);
            copy_or_zero(&b_tile[r][tx], in_b ? b + (size_t)(k0 + r) * n + column : b, in_b);
        }
        copies.arrive_after_copies();
        copies.wait();  // all 512 have arrived, so all copies have

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 u = *reinterpret_cast<const float4 *>(&a_tile[ty][i]);
            const float4 v = *reinterpret_cast<const float4 *>(&a_tile[ty + 16][i]);
            const float y[4] = {b_tile[i][tx], b_tile[i + 1][tx], b_tile[i + 2][tx], b_tile[i + 3][tx]};
            sums[0] += u.x * y[0] + u.y * y[1] + u.z * y[2] + u.w * y[3];
            sums[1] += v.x * y[0] + v.y * y[1] + v.z * y[2] + v.w * y[3];
        }
        __syncthreads();  // read by all before the next copies
    }

#pragma unroll
    for (int h = 0; h < 2; h++)
        if (row0 + 16 * h < m && column < n)
            c[(size_t)(row0 + 16 * h) * n + column] = sums[h];
}
