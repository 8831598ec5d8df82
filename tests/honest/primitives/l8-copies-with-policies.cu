// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cp.async in PTX with a cache policy, a prefetch size and a source size of 0 at the edges, waited for and then a barrier
LAUNCH(32, 32, 32, 32)

struct Policies {
    unsigned long long keep, drop;
    __device__ Policies()
    {
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 0.5;" : "=l"(keep));
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(drop));
    }
};

// Four bytes, or four zeros: of the source only `size` bytes are read.
__device__ __forceinline__ void copy(unsigned to, const float *from, bool there, unsigned long long policy)
{
    asm volatile("cp.async.ca.shared.global.L2::cache_hint.L2::128B [%0], [%1], 4, %2, %3;"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(there ? 4 : 0), "l"(policy) : "memory");
}

__global__ void __launch_bounds__(1024) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    const Policies policy;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const unsigned to_a = (unsigned)__cvta_generic_to_shared(&a_tile[ty][tx]);
    const unsigned to_b = (unsigned)__cvta_generic_to_shared(&b_tile[ty][tx]);
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        copy(to_a, in_a ? a + row * k + k0 + tx : a, in_a, policy.keep);
        copy(to_b, in_b ? b + (k0 + ty) * n + column : b, in_b, policy.drop);
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = __fmaf_rn(a_tile[ty][i], b_tile[i][tx], sum);
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
