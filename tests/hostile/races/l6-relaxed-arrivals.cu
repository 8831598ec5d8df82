// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: both barriers of a step are phases of an mbarrier at which all threads arrive .relaxed: everybody waits for everybody, but the stores to the tiles are not released
LAUNCH(32, 32, 32, 32)

__device__ void meet(unsigned bar, unsigned &parity)
{
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    parity ^= 1;
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ alignas(8) unsigned long long phases;
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&phases), parity = 0;
    float sum = 0;

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1024;" ::"r"(bar) : "memory");
    __syncthreads();

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        meet(bar, parity);
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        meet(bar, parity);
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
