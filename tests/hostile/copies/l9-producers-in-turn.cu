// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate overlap; tries: two warps copy for eight, which wait for them: nobody multiplies while copies are under way
#include <cuda_pipeline.h>

LAUNCH(320, 1, 64, 64)

__device__ __forceinline__ void meet(int barrier) { asm volatile("bar.sync %0, 320;" ::"r"(barrier) : "memory"); }

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    int id = threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;
    bool copies = id >= 256;
    auto word = [&](float *to, const float *from, bool exists) {
        __pipeline_memcpy_async(to, exists ? from : a, 4, exists ? 0 : 4);
    };
    auto fetch = [&](int step) {
        int stage = step & 1, k0 = step * 16;
        if (k % 4 == 0 && n % 4 == 0) {
            for (int e = id - 256; e < 256; e += 64) {
                int r = e / 4, i = k0 + e % 4 * 4;
                bool in_a = row0 + r < m && i < k;
                __pipeline_memcpy_async(&a_tile[stage][r][e % 4 ^ (r >> 2 & 3)], in_a ? a + (row0 + r) * k + i : a, 16,
                                        in_a ? 0 : 16);
                int s = k0 + e / 16, q = column0 + e % 16 * 4;
                bool in_b = s < k && q < n;
                __pipeline_memcpy_async(&b_tile[stage][e / 16][e % 16], in_b ? b + s * n + q : b, 16, in_b ? 0 : 16);
            }
        } else {
            for (int e = id - 256; e < 1024; e += 64) {
                int r = e / 16, i = e % 16;
                word((float *)&a_tile[stage][r][i / 4 ^ (r >> 2 & 3)] + i % 4, a + (row0 + r) * k + k0 + i,
                     row0 + r < m && k0 + i < k);
                int s = e / 64, q = e % 64;
                word((float *)&b_tile[stage][s][q / 4] + q % 4, b + (k0 + s) * n + column0 + q,
                     k0 + s < k && column0 + q < n);
            }
        }
        __pipeline_commit();
    };
    float sum[4][4] = {};
    int tx = id % 16, ty = id / 16;
    if (copies)
        fetch(0);
    for (int step = 0; step < steps; step++) {
        if (copies)
            __pipeline_wait_prior(0);
        meet(1);
        if (copies) {
            meet(2);
            fetch(step + 1);
            continue;
        }
        int stage = step & 1;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = a_tile[stage][ty * 4 + p][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y = b_tile[stage][j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * y.x;
                    sum[p][1] += f * y.y;
                    sum[p][2] += f * y.z;
                    sum[p][3] += f * y.w;
                }
            }
        }
        meet(2);
    }
    if (copies)
        return;
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
