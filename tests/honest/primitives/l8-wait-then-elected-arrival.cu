// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: lanes wait for their own copies, meet by __syncwarp, one of each warp arrives at an mbarrier of 32, and two places need no second barrier
LAUNCH(32, 32, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define COPY4(to, from, bytes)                                                                            \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(AT(to)), "l"(__cvta_generic_to_global(from)), \
                 "r"(bytes) : "memory")

__global__ void __launch_bounds__(1024)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[2][32][32], b_tile[2][32][32];
    __shared__ unsigned long long met;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    auto fetch = [&](int step) {
        int k0 = step * 32, place = step & 1;
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        COPY4(&a_tile[place][ty][tx], in_a ? a + row * k + k0 + tx : a, in_a ? 4 : 0);
        COPY4(&b_tile[place][ty][tx], in_b ? b + (k0 + ty) * n + column : b, in_b ? 4 : 0);
    };

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(AT(&met)) : "memory");
    fetch(0);
    __syncthreads();  // the barrier is made

    int steps = (k + 31) / 32;
    for (int step = 0; step < steps; step++) {
        int place = step & 1;
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncwarp();
        if (tx == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&met)) : "memory");
        for (unsigned done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(AT(&met)), "r"(place) : "memory");
        // All have come, so all are through with the step before: its place is free.
        if (step + 1 < steps)
            fetch(step + 1);
        const float4 *quads = (const float4 *)a_tile[place][ty];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 q = quads[i];
            sum += q.x * b_tile[place][i * 4][tx];
            sum += q.y * b_tile[place][i * 4 + 1][tx];
            sum += q.z * b_tile[place][i * 4 + 2][tx];
            sum += q.w * b_tile[place][i * 4 + 3][tx];
        }
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
