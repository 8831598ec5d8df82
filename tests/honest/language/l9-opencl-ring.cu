// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: an OpenCL port with macros and 64 x 4 work items, 128 x 128 of c and 8 x 8 an item, three places whose numbers are counted round instead of taken modulo; wait, one barrier, fetch two steps ahead, multiply; right for all edges (zero-filled copies, scalar tails)
#include <cuda_pipeline.h>

LAUNCH(64, 4, 128, 128)

#define get_local_id(d) ((int)((d) ? threadIdx.y : threadIdx.x))
#define get_group_id(d) ((int)((d) ? blockIdx.y : blockIdx.x))
#define __local __shared__
#define barrier() __syncthreads()
#define PLACES 3

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

typedef struct { float4 a[128][4]; float4 b[16][32]; } place_t;  // 16 KB

__device__ __forceinline__ void async_fetch(place_t *place, const float *a, const float *b, int k0, int row0, int column0,
                                            int id, int m, int n, int k)
{
#pragma unroll
    for (int j = 1; j >= 0; j--) {
        int r = id / 4 + j * 64, q = id % 4, i = k0 + q * 4;
        copy4(&place->a[r][q ^ (r / 4 % 4)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = id / 32 + j * 8, p = id % 32, column = column0 + p * 4;
        copy4(&place->b[s][p], b, (k0 + s) * n + column, k0 + s < k ? n - column : 0, n % 4 == 0);
    }
    __pipeline_commit();
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __local place_t places[PLACES];

    const int id = get_local_id(1) * 64 + get_local_id(0), lane = id % 32, warp = id / 32;
    const int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = get_group_id(1) * 128, column0 = get_group_id(0) * 128;
    float acc[8][8];
#pragma unroll
    for (int e = 0; e < 64; e++)
        acc[e / 8][e % 8] = 0.0f;

    async_fetch(&places[0], a, b, 0, row0, column0, id, m, n, k);
    async_fetch(&places[1], a, b, 16, row0, column0, id, m, n, k);

    int reads = 0, fills = 2;
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(1);
        barrier();
        async_fetch(&places[fills], a, b, k0 + 32, row0, column0, id, m, n, k);

        const place_t *place = &places[reads];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = place->a[p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = place->b[j * 4 + i][tx], v = place->b[j * 4 + i][tx + 16];
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float s = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    acc[p][0] = fmaf(s, u.x, acc[p][0]);
                    acc[p][1] = fmaf(s, u.y, acc[p][1]);
                    acc[p][2] = fmaf(s, u.z, acc[p][2]);
                    acc[p][3] = fmaf(s, u.w, acc[p][3]);
                    acc[p][4] = fmaf(s, v.x, acc[p][4]);
                    acc[p][5] = fmaf(s, v.y, acc[p][5]);
                    acc[p][6] = fmaf(s, v.z, acc[p][6]);
                    acc[p][7] = fmaf(s, v.w, acc[p][7]);
                }
            }
        }
        reads = reads == PLACES - 1 ? 0 : reads + 1;
        fills = fills == PLACES - 1 ? 0 : fills + 1;
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int column = column0 + q / 4 * 64 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = acc[p][q];
        }
    }
}
