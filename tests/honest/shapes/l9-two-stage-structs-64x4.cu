// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: 64 x 64 a block of 64 x 4 threads, 4 x 4 each, two stage structs whose pointers change places, one barrier a step and the next stage under way meanwhile; what passing asks, but not the large tile that full marks ask
#include <cuda_pipeline.h>

LAUNCH(64, 4, 64, 64)

struct Stage { float4 a[64][4], b[16][16]; };

__device__ __forceinline__ void quad(float4 *to, const float *from, int index, int have, bool whole)
{
    if (whole)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage stages[2];
    Stage *now = stages, *next = stages + 1;
    const int id = threadIdx.y * 64 + threadIdx.x, tx = id % 16, ty = id / 16;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;

    auto ask = [&](Stage *to, int k0) {
        int r = id / 4, i = k0 + id % 4 * 4;
        quad(&to->a[r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        i = k0 + ty;
        int x = column0 + tx * 4;
        quad(&to->b[ty][tx], b, i * n + x, i < k ? n - x : 0, n % 4 == 0);
        __pipeline_commit();
    };

    float sum[4][4] = {};
    ask(now, 0);
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (k0 + 16 < k)
            ask(next, k0 + 16);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = now->a[ty + 16 * p][j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 y = now->b[j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * y.x;
                    sum[p][1] += f * y.y;
                    sum[p][2] += f * y.z;
                    sum[p][3] += f * y.w;
                }
            }
        }
        Stage *was = now;
        now = next;
        next = was;
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty + 16 * p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty + 16 * p) * n + column0 + tx * 4 + q] = sum[p][q];
}
