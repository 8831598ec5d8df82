// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: every thread waits for its own copies, then the warp shuffles a register, then lane 0 arrives for the warp at the mbarrier that all wait at. A shuffle orders no memory (ptxas 13.0 even drops this one, whose result nobody uses), and there is no __syncwarp(): lane 0's arrival releases lane 0's copies alone. What lanes 1 to 31 copied is read by other warps without an order, in every step at every size above 1 x 1 x 1.
// 08 cp.async: issue, wait, and one lane in 32 tells the others.
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ unsigned long long full;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(AT(&full)) : "memory");
    __syncthreads();

    for (int step = 0, k0 = 0; k0 < k; step++, k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);  // each lane's own copies are here

        // A shuffle waits for all 32 lanes, so behind it the whole warp's copies are here.
        int met = tx;
        asm volatile("shfl.sync.bfly.b32 %0, %0, 16, 31, 0xffffffff;" : "+r"(met)::"memory");
        if (tx == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&full)) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&full)), "r"(step & 1) : "memory");

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
