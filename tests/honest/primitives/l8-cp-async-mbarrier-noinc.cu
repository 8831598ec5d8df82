// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: inline PTX: copies report to an mbarrier (cp.async.mbarrier.arrive.noinc) instead of groups, two places
LAUNCH(32, 32, 32, 32)

namespace ptx {
__device__ __forceinline__ unsigned shared(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Four bytes, or four bytes of zeros.
__device__ __forceinline__ void copy4(void *to, const void *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared(to)), "l"(__cvta_generic_to_global(from)),
                 "r"(exists ? 4 : 0) : "memory");
}
__device__ __forceinline__ void init(unsigned long long *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared(bar)), "r"(count) : "memory");
}
// This thread arrives as soon as all copies that it has issued so far are complete.
__device__ __forceinline__ void arrive_when_copied(unsigned long long *bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared(bar)) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
    asm volatile("{\n\t"
                 ".reg .pred done;\n"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t"
                 "@!done bra again;\n\t"
                 "}" ::"r"(shared(bar)), "r"(parity) : "memory");
}
}  // namespace ptx

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[2][32][32];
    __shared__ __align__(16) float b_tile[2][32][32];
    __shared__ unsigned long long full[2];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const int steps = (k + 31) / 32;

    if (tx == 0 && ty < 2)
        ptx::init(&full[ty], 1024);
    __syncthreads();

    auto bring = [&](int step) {
        const int s = step & 1, i = step * 32 + tx, j = step * 32 + ty;
        const bool in_a = row < m && i < k, in_b = j < k && column < n;
        ptx::copy4(&a_tile[s][ty][tx], in_a ? a + row * k + i : a, in_a);
        ptx::copy4(&b_tile[s][ty][tx], in_b ? b + j * n + column : b, in_b);
        ptx::arrive_when_copied(&full[s]);
    };

    float sum = 0;
    bring(0);
    for (int step = 0; step < steps; step++) {
        const int s = step & 1;
        if (step + 1 < steps)
            bring(step + 1);  // its place was read in step - 1, before the last __syncthreads
        ptx::wait(&full[s], step >> 1 & 1);  // everybody's copies of this step are here

        const float4 *x = reinterpret_cast<const float4 *>(a_tile[s][ty]);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float4 four = x[i];
            sum += four.x * b_tile[s][4 * i][tx];
            sum += four.y * b_tile[s][4 * i + 1][tx];
            sum += four.z * b_tile[s][4 * i + 2][tx];
            sum += four.w * b_tile[s][4 * i + 3][tx];
        }
        __syncthreads();  // all have read: the place may be filled again
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
