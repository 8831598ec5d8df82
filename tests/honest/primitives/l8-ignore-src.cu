// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cp.async with a predicate that leaves the source out at the edges
LAUNCH(32, 32, 32, 32)

__device__ __forceinline__ void copy_or_zero(float *to, const float *from, bool zero)
{
    asm volatile("{\n\t.reg .pred ignore;\n\t"
                 "setp.ne.u32 ignore, %2, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], 4, ignore;\n\t}"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)),
                    "r"((unsigned)zero) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        copy_or_zero(&a_tile[ty][tx], in_a ? a + row * k + k0 + tx : a, !in_a);
        copy_or_zero(&b_tile[ty][tx], in_b ? b + (k0 + ty) * n + column : b, !in_b);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
