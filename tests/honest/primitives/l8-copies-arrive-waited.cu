// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: inline cp.async whose arrival is handed to an mbarrier (cp.async.mbarrier.arrive.noinc); each thread waits for its own copies as well, before it waits for the phase
LAUNCH(32, 32, 32, 32)

namespace ptx {

using shared_address = unsigned;

__device__ __forceinline__ shared_address shared(const void *generic)
{
    return static_cast<shared_address>(__cvta_generic_to_shared(generic));
}

// Four bytes, or four bytes of zeros: the last operand says how many are read.
__device__ __forceinline__ void copy4(float &to, const float *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared(&to)), "l"(__cvta_generic_to_global(from)), "r"(exists ? 4 : 0) : "memory");
}

__device__ __forceinline__ void init(unsigned long long &bar, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared(&bar)), "r"(count) : "memory");
}

// This thread arrives when all copies that it has issued so far are done.
__device__ __forceinline__ void arrive_with_copies(unsigned long long &bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared(&bar)) : "memory");
}

__device__ __forceinline__ void wait(unsigned long long &bar, unsigned parity)
{
    asm volatile("{\n"
                 "  .reg .pred done;\n"
                 "AGAIN:\n"
                 "  mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "  @done bra OVER;\n"
                 "  bra AGAIN;\n"
                 "OVER:\n"
                 "}" ::"r"(shared(&bar)), "r"(parity) : "memory");
}

}  // namespace ptx

__global__ void __launch_bounds__(1024) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];
    __shared__ unsigned long long arrived;

    const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if ((tx | ty) == 0)
        ptx::init(arrived, 1024);
    __syncthreads();

    float sum = 0;
    unsigned phase = 0;
    for (int k0 = 0; k0 < k; k0 += 32, phase ^= 1) {
        const bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        ptx::copy4(a_tile[ty][tx], in_a ? a + row * k + k0 + tx : a, in_a);
        ptx::copy4(b_tile[ty][tx], in_b ? b + (k0 + ty) * n + column : b, in_b);
        ptx::arrive_with_copies(arrived);
        asm volatile("cp.async.wait_all;" ::: "memory");
        ptx::wait(arrived, phase);  // everybody's copies, not only mine

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 x = *reinterpret_cast<const float4 *>(&a_tile[ty][i]);
            sum += x.x * b_tile[i][tx];
            sum += x.y * b_tile[i + 1][tx];
            sum += x.z * b_tile[i + 2][tx];
            sum += x.w * b_tile[i + 3][tx];
        }
        __syncthreads();  // all have read
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
