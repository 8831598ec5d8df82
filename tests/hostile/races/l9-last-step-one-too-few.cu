// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: in the last of several steps one group too few is waited for
#include <cuda_pipeline.h>
LAUNCH(16, 16, 64, 64)
namespace {
constexpr int STAGES = 4, STEP = 16;
struct Stage { float4 a[64][STEP / 4]; float4 b[STEP][16]; };
__device__ __forceinline__ void quad(float4 *to, const float *row, int at, int have, bool whole)
{
    if (whole) { __pipeline_memcpy_async(to, have > 0 ? row + at : row, 16, have > 0 ? 0 : 16); return; }
#pragma unroll
    for (int j = 0; j < 4; j++)
        __pipeline_memcpy_async(reinterpret_cast<float *>(to) + j, j < have ? row + at + j : row, 4, j < have ? 0 : 4);
}
}
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage ring[STAGES];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    const int steps = (k + STEP - 1) / STEP;
    float sum[4][4] = {};
    auto issue = [&](int t) {
        if (t < steps) {
            Stage &s = ring[t & (STAGES - 1)];
            const int r = id >> 2, i = t * STEP + (id & 3) * 4;
            quad(&s.a[r][id & 3], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            const int e = t * STEP + (id >> 4), q = col0 + (id & 15) * 4;
            quad(&s.b[id >> 4][id & 15], b, e * n + q, e < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };
#pragma unroll
    for (int t = 0; t < STAGES - 1; t++) issue(t);
    for (int t = 0; t < steps; t++) {
        __pipeline_wait_prior(t + 1 < steps ? STAGES - 2 : STAGES - 1);
        __syncthreads();
        issue(t + STAGES - 1);
        const Stage &s = ring[t & (STAGES - 1)];
#pragma unroll
        for (int i = 0; i < STEP / 4; i++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++) x[p] = s.a[ty * 4 + p][i];
#pragma unroll
            for (int d = 0; d < 4; d++) {
                const float4 y = s.b[i * 4 + d][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float v = (&x[p].x)[d];
                    sum[p][0] += v * y.x; sum[p][1] += v * y.y; sum[p][2] += v * y.z; sum[p][3] += v * y.w;
                }
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && col0 + tx * 4 + q < n) c[(row0 + ty * 4 + p) * n + col0 + tx * 4 + q] = sum[p][q];
}
