// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 128 rows and 64 columns for 128 threads, 8 x 8 each, three stages in 36 KB, commit groups counted, stage pointers rotated by hand instead of modulo
#include <cuda_pipeline.h>

LAUNCH(128, 1, 64, 128)

struct Stage {
    float4 a[128][4];  // chunk q of row r at q ^ r / 4 % 4
    float4 b[16][16];
};

__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void __launch_bounds__(128) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage memory[3];
    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int ty = warp * 4 + ((lane & 1) | (lane >> 1 & 2)), tx = (lane >> 1 & 1) | (lane >> 2 & 6);  // 16 x 8
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;

    auto fetch = [&](Stage *s, int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = (id >> 2) + j * 32, q = id & 3, i = k0 + q * 4;
            copy4(&s->a[r][q ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, (k & 3) == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = (id >> 4) + j * 8, i = k0 + r, q = column0 + (id & 15) * 4;
            copy4(&s->b[r][id & 15], b, i * n + q, i < k ? n - q : 0, (n & 3) == 0);
        }
        __pipeline_commit();
    };

    Stage *reading = memory, *coming = memory + 1, *filling = memory + 2;
    fetch(reading, 0);
    fetch(coming, 16);

    float sum[8][8] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(1);
        __syncthreads();
        fetch(filling, k0 + 32);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = reading->a[(p >> 2) * 64 + ty * 4 + (p & 3)][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = reading->b[j * 4 + i][tx], v = reading->b[j * 4 + i][tx + 8];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] += f * y[q];
                }
            }
        }
        Stage *const was = reading;
        reading = coming, coming = filling, filling = was;
    }
    __pipeline_wait_prior(0);

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + (p >> 2) * 64 + ty * 4 + (p & 3);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int column = column0 + h * 32 + tx * 4;
            float *const to = c + (size_t)row * n + column;
            if (row < m && column + 4 <= n && n % 4 == 0)
                *(float4 *)to = make_float4(sum[p][h * 4], sum[p][h * 4 + 1], sum[p][h * 4 + 2], sum[p][h * 4 + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        to[q] = sum[p][h * 4 + q];
        }
    }
}
