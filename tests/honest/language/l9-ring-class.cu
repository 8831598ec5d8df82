// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: a template class for the ring of four stages
#include <cuda_pipeline.h>
LAUNCH(16, 16, 64, 64)
template <int STAGES>
struct Ring {
    float a[STAGES][64][16];
    float b[STAGES][16][64];
};
template <int STAGES>
class Loader {
    Ring<STAGES> &ring;
    const float *a, *b;
    int m, n, k, row0, column0, id;
    __device__ static void copy4(float *to, const float *base, int index, int have, bool wide)
    {
        if (wide)
            __pipeline_memcpy_async(to, base + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
        else
            for (int j = 0; j < 4; j++)
                __pipeline_memcpy_async(to + j, base + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
    }
public:
    __device__ Loader(Ring<STAGES> &ring_, const float *a_, const float *b_, int m_, int n_, int k_)
        : ring(ring_), a(a_), b(b_), m(m_), n(n_), k(k_), row0(blockIdx.y * 64), column0(blockIdx.x * 64),
          id(threadIdx.y * 16 + threadIdx.x) {}
    __device__ void fetch(int step)
    {
        const int k0 = step * 16, stage = step % STAGES;
        int r = id / 4, i = id % 4 * 4;
        copy4(&ring.a[stage][r][i], a, (row0 + r) * k + k0 + i, row0 + r < m ? k - k0 - i : 0, k % 4 == 0);
        r = id / 16, i = id % 16 * 4;
        copy4(&ring.b[stage][r][i], b, (k0 + r) * n + column0 + i, k0 + r < k ? n - column0 - i : 0, n % 4 == 0);
        __pipeline_commit();
    }
    __device__ void wait() { __pipeline_wait_prior(STAGES - 2); __syncthreads(); }
};
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int STAGES = 4;
    __shared__ __align__(16) Ring<STAGES> ring;
    Loader<STAGES> loader(ring, a, b, m, n, k);
    const int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};
    for (int s = 0; s < STAGES - 1; s++)
        loader.fetch(s);
    for (int step = 0; step * 16 < k; step++) {
        loader.wait();
        loader.fetch(step + STAGES - 1);
        const auto &at = ring.a[step % STAGES];
        const auto &bt = ring.b[step % STAGES];
#pragma unroll
        for (int i = 0; i < 16; i += 4) {
            float4 x[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = *(const float4 *)&at[r0 + j][i];
#pragma unroll
            for (int s = 0; s < 4; s++) {
                const float4 y = *(const float4 *)&bt[i + s][q0];
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    const float f = s == 0 ? x[j].x : s == 1 ? x[j].y : s == 2 ? x[j].z : x[j].w;
                    sum[j][0] += f * y.x, sum[j][1] += f * y.y, sum[j][2] += f * y.z, sum[j][3] += f * y.w;
                }
            }
        }
    }
#pragma unroll
    for (int e = 0; e < 16; e++) {
        const int row = blockIdx.y * 64 + r0 + e / 4, column = blockIdx.x * 64 + q0 + e % 4;
        if (row < m && column < n)
            c[row * n + column] = sum[e / 4][e % 4];
    }
}
