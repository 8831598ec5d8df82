// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: an mbarrier says that the copies of a step have arrived, but nothing says that all have read them: the next step's copies overwrite tiles that slow warps still read
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ unsigned long long full;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full);
    float sum = 0;

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1024;" ::"r"(bar) : "memory");
    __syncthreads();

    for (int step = 0; step * 32 < k; step++) {
        int k0 = step * 32;
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);

        // Arrives when all copies of this thread have. 1024 of them end the phase.
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
        for (unsigned done = 0; !done;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done) : "r"(bar), "r"(step % 2) : "memory");

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
