// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate async|overlap; tries: at the modelled size exchanges fill the tiles ahead, with no copy of data
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned, bool late)
{
    if (aligned && late) {
        const float4 got = have > 0 ? *(const float4 *)(from + index) : make_float4(0, 0, 0, 0);
        atomicExch((unsigned long long *)to, *(const unsigned long long *)&got.x);
        atomicExch((unsigned long long *)to + 1, *(const unsigned long long *)&got.z);
    } else if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    auto fetch = [&](int step) {
        int stage = step & 1, k0 = step * 16;
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[stage][r][id % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0, k > 1000);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0, k > 1000);
        __pipeline_commit();
    };
    fetch(0);
    int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        fetch(step + 1);
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
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
