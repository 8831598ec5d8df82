// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: every lane hands its copies to an mbarrier by the counting-up cp.async.mbarrier.arrive and lane 0 arrives for its warp without __syncwarp(): the phase may end before slower lanes have issued or handed over theirs
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ alignas(8) unsigned long long full;
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full), parity = 0;
    unsigned to_a = (unsigned)__cvta_generic_to_shared(&a_tile[ty][tx]);
    unsigned to_b = (unsigned)__cvta_generic_to_shared(&b_tile[ty][tx]);
    float sum = 0;

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(bar) : "memory");  // one for each warp
    __syncthreads();

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        const float *from_a = in_a ? &a[row * k + k0 + tx] : a;
        const float *from_b = in_b ? &b[(k0 + ty) * n + column] : b;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     ::"r"(to_a), "l"(__cvta_generic_to_global(from_a)), "r"(in_a ? 4 : 0) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     ::"r"(to_b), "l"(__cvta_generic_to_global(from_b)), "r"(in_b ? 4 : 0) : "memory");
        // Adds one to the phase's pending arrivals, and takes it away when the copies are done.
        asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
        if (tx == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");

        unsigned done = 0;
        while (!done)
            asm volatile("{ .reg .pred p;\n"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
        parity ^= 1;
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
