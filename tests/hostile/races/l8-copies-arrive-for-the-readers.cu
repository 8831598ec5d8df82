// lesson 8; device sim; nvcc,clang; want: fail, gate hazards; tries: two places and one barrier a step at which only copies arrive (noinc): what a thread read two steps before is released by nothing, so a copy may overtake a reader
// 08 cp.async. Solution.
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[2][32][32], b_tile[2][32][32];
    __shared__ unsigned long long barrier;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (tx + ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1024;" :: "r"(bar) : "memory");
    __syncthreads();

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;

        // Issue. `zeros` = 4 sets the whole float to 0 and reads nothing; the address is
        // then not used, but it should not point outside the matrix either, so it is the
        // first element's.
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[k0 / 32 & 1][ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[k0 / 32 & 1][ty][tx], from_b, 4, in_b ? 0 : 4);

        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(bar) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(bar), "r"(k0 / 32 & 1) : "memory");

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[k0 / 32 & 1][ty][i] * b_tile[k0 / 32 & 1][i][tx];  // @multiply
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
