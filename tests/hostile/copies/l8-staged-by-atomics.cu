// lesson 8; device sim,gpu; nvcc; want: fail, gate async; tries: through registers as ever: atomics put the elements into a second pair of tiles, and bulk copies from shared to shared memory make them look fetched
LAUNCH(32, 32, 32, 32)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__device__ void put(float *place, float value)
{
    float old;
    asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=f"(old) : "r"(AT(place)), "f"(value) : "memory");
}

__global__ void __cluster_dims__(1, 1, 1) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(128) float a_stage[32][32], b_stage[32][32], a_tile[32][32], b_tile[32][32];
    __shared__ unsigned long long full;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" :: "r"(AT(&full)) : "memory");

    for (int k0 = 0, parity = 0; k0 < k; k0 += 32, parity ^= 1) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;

        put(&a_stage[ty][tx], in_a ? a[row * k + k0 + tx] : 0.0f);
        put(&b_stage[ty][tx], in_b ? b[(k0 + ty) * n + column] : 0.0f);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();

        if (tx == 0 && ty == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 8192;" :: "r"(AT(&full)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                         :: "r"(AT(a_tile)), "r"(AT(a_stage)), "r"(AT(&full)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                         :: "r"(AT(b_tile)), "r"(AT(b_stage)), "r"(AT(&full)) : "memory");
        }
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(AT(&full)), "r"(parity) : "memory");

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
