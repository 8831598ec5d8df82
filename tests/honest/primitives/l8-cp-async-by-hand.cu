// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cp.async written as PTX with the source size as guard, both tiles in one array of rows, threads numbered without threadIdx.y
LAUNCH(1024, 1, 32, 32)

#define TO_SHARED(p) ((unsigned)__cvta_generic_to_shared(p))
// `exists` bytes of four are read, the others become 0.
#define CP_ASYNC_4(to, from, exists) \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(__cvta_generic_to_global(from)), "r"(exists) : "memory")
#define CP_ASYNC_WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory") /* commits as well */

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 rows[64][8];  // 32 rows of a's tile, then 32 of b's: 128 bytes each

    const int tx = threadIdx.x & 31, ty = threadIdx.x >> 5;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const unsigned to_a = TO_SHARED(rows) + ty * 128 + tx * 4, to_b = to_a + 32 * 128;
    float sum = 0.f;

    for (int k0 = 0; k0 < k; k0 += 32) {
        const bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        CP_ASYNC_4(to_a, in_a ? a + (size_t)row * k + k0 + tx : a, in_a ? 4 : 0);
        CP_ASYNC_4(to_b, in_b ? b + (size_t)(k0 + ty) * n + column : b, in_b ? 4 : 0);
        CP_ASYNC_WAIT_ALL();  // mine are here
        __syncthreads();      // and everybody's

#pragma unroll
        for (int q = 0; q < 8; ++q) {
            const float4 x = rows[ty][q];
            const float *y = (const float *)rows[32 + 4 * q] + tx;
            sum = fmaf(x.x, y[0], sum);
            sum = fmaf(x.y, y[32], sum);
            sum = fmaf(x.z, y[64], sum);
            sum = fmaf(x.w, y[96], sum);
        }
        __syncthreads();
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
