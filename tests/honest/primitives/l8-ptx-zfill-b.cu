// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: hand-written PTX cp.async.ca with the src-size operand for zeros, 32-bit shared addresses, cp.async.wait_all, tiles as one array
LAUNCH(32, 32, 32, 32)

typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ __forceinline__ void copy_or_zero(u32 to, u64 from, bool there)
{
    asm volatile("{\n\t"
                 ".reg .b32 size;\n\t"
                 ".reg .pred ok;\n\t"
                 "setp.ne.s32 ok, %2, 0;\n\t"
                 "selp.b32 size, 4, 0, ok;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], 4, size;\n\t"
                 "}"
                 ::"r"(to), "l"(from), "r"((int)there)
                 : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(128) float tiles[2][32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int q = blockIdx.x * 32 + tx, r = blockIdx.y * 32 + ty;

    u64 generic_a, generic_b;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(generic_a) : "l"(a));
    asm("cvta.to.global.u64 %0, %1;" : "=l"(generic_b) : "l"(b));
    const u32 mine_a = (u32)__cvta_generic_to_shared(&tiles[0][ty][tx]);
    const u32 mine_b = mine_a + 4096;

    float sum = 0;
    int k0 = 0;
next:
    {
        const bool in_a = r < m && k0 + tx < k, in_b = k0 + ty < k && q < n;
        copy_or_zero(mine_a, generic_a + (in_a ? 4ull * ((u64)r * k + k0 + tx) : 0), in_a);
        copy_or_zero(mine_b, generic_b + (in_b ? 4ull * ((u64)(k0 + ty) * n + q) : 0), in_b);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i++)
        sum = __fmaf_rn(tiles[0][ty][i], tiles[1][i][tx], sum);
    __syncthreads();
    k0 += 32;
    if (k0 < k)
        goto next;

    if (r < m && q < n)
        c[(size_t)r * n + q] = sum;
}
