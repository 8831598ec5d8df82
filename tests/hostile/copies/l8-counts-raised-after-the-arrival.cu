// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cp.async.mbarrier.arrive raises the count itself, but the one arrival that is counted may come before another warp has raised it
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    __shared__ alignas(8) unsigned long long arrived;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&arrived);
    if (tx == 31 && ty == 31)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar) : "memory");
    __syncthreads();
    unsigned parity = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;

        // Issue. `zeros` = 4 sets the whole float to 0 and reads nothing; the address is
        // then not used, but it should not point outside the matrix either, so it is the
        // first element's.
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        __pipeline_memcpy_async(&a_tile[ty][tx], from_a, 4, in_a ? 0 : 4);  // @a
        __pipeline_memcpy_async(&b_tile[ty][tx], from_b, 4, in_b ? 0 : 4);

        // each thread's copies raise the count and lower it again; one arrival more ends the phase
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(bar) : "memory");
        if (tx == 31 && ty == 31)
            asm volatile("{ .reg .b64 s;\n mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(bar) : "memory");
        int done = 0;
        while (!done)
            asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(bar), "r"(parity) : "memory");
        parity ^= 1;

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        // As before: nobody may start copying into the tiles while others still read them.
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
