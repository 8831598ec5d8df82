// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: the copies arrive at an mbarrier by themselves
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    __shared__ __align__(8) unsigned long long bar;
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty, phase = 0;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    float acc = 0;
    if (tx + ty == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1024;" ::"r"(at) : "memory");
    __syncthreads();
    for (int k0 = 0; k0 < k; k0 += 32, phase ^= 1) {
        bool ia = row < m && k0 + tx < k, ib = k0 + ty < k && col < n;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(&as[ty][tx])),
                     "l"(ia ? a + row * k + k0 + tx : a), "r"(ia ? 4 : 0) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(&bs[ty][tx])),
                     "l"(ib ? b + (k0 + ty) * n + col : b), "r"(ib ? 4 : 0) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
        unsigned over = 0;
        while (!over)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(at), "r"(phase) : "memory");
#pragma unroll
        for (int i = 0; i < 32; i++) acc += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = acc;
}
