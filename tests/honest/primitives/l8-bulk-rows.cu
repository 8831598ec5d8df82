// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: whole tiles by bulk copies of a row (8 rows a warp, expect_tx), edges by cp.async with zeros
#include <cuda_pipeline.h>
LAUNCH(32, 8, 32, 32)
static __device__ unsigned to_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(128) float as[32][32], bs[32][32];
    __shared__ alignas(8) unsigned long long bar;
    const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    const unsigned mb = to_shared(&bar);
    if (x == 0 && y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;\n\tfence.mbarrier_init.release.cluster;" ::"r"(mb) : "memory");
    __syncthreads();
    float s[4] = {};
    unsigned phase = 0;
    const bool fit = k % 4 == 0 && n % 4 == 0 && r0 + 32 <= m && c0 + 32 <= n;
    for (int k0 = 0; k0 < k; k0 += 32) {
        if (fit && k0 + 32 <= k) {
            if (x == 0)
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(mb) : "memory");
            __syncwarp();
            if (x < 8) {
                int r = y * 4 + x % 4;
                const float *from = x < 4 ? a + (size_t)(r0 + r) * k + k0 : b + (size_t)(k0 + r) * n + c0;
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                             ::"r"(to_shared(x < 4 ? as[r] : bs[r])), "l"(__cvta_generic_to_global(from)), "r"(mb) : "memory");
            }
            asm volatile("{\n\t.reg .pred p;\nL:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra L;\n\t}"
                         ::"r"(mb), "r"(phase) : "memory");
            phase ^= 1;
        } else {
            for (int r = y; r < 32; r += 8) {
                bool ia = r0 + r < m && k0 + x < k, ib = k0 + r < k && c0 + x < n;
                __pipeline_memcpy_async(&as[r][x], ia ? &a[(size_t)(r0 + r) * k + k0 + x] : a, 4, ia ? 0 : 4);
                __pipeline_memcpy_async(&bs[r][x], ib ? &b[(size_t)(k0 + r) * n + c0 + x] : b, 4, ib ? 0 : 4);
            }
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 32; i++)
            for (int p = 0; p < 4; p++) s[p] += as[y + 8 * p][i] * bs[i][x];
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        if (r0 + y + 8 * p < m && c0 + x < n) c[(size_t)(r0 + y + 8 * p) * n + c0 + x] = s[p];
}
