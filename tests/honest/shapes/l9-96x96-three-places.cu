// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: 96 x 96 elements of c for 192 threads, 8 x 6 for each, three places of 12 KB
#include <cuda_pipeline.h>

LAUNCH(192, 1, 96, 96)

constexpr int PLACES = 3;

struct Place {
    float4 a[96][4];   // 96 rows of 16
    float2 b[16][48];  // 16 rows of 96
};

// Four floats of a row, of which the first `have` exist; the others become 0.
__device__ void fetch_four(void *to, const float *matrix, int index, int have, bool aligned)
{
    if (aligned) {
        __pipeline_memcpy_async(to, matrix + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
        return;
    }
#pragma unroll 1
    for (int j = 0; j < 4; j++)
        __pipeline_memcpy_async((float *)to + j, matrix + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void __launch_bounds__(192)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) Place places[PLACES];

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp * 2 + lane % 2, tx = lane / 2;  // rows ty + 12 p, columns 2 tx + 32 q and the next
    const int row0 = blockIdx.y * 96, column0 = blockIdx.x * 96;
    const int steps = (k + 15) / 16;
    float2 sum[8][3] = {};

    auto fetch = [&](int step, Place &place) {
#pragma unroll
        for (int e = id; e < 384; e += 192) {
            const int r = e / 4, i = step * 16 + e % 4 * 4;
            fetch_four(&place.a[r][e % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int e = id; e < 384; e += 192) {
            const int i = step * 16 + e / 24, q = column0 + e % 24 * 4;
            fetch_four(&place.b[e / 24][e % 24 * 2], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
        }
    };

    for (int step = 0; step < PLACES - 1; step++) {
        if (step < steps)
            fetch(step, places[step]);
        __pipeline_commit();  // a group for each step, an empty one where there is none
    }

    int now = 0, next = PLACES - 1;
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(PLACES - 2);
        __syncthreads();  // `now` is here for all; and all have left the place that is filled next
        if (step + PLACES - 1 < steps)
            fetch(step + PLACES - 1, places[next]);
        __pipeline_commit();

        const Place &place = places[now];
#pragma unroll
        for (int four = 0; four < 4; four++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = place.a[ty + 12 * p][four];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int q = 0; q < 3; q++) {
                    const float2 y = place.b[four * 4 + i][tx + 16 * q];
#pragma unroll
                    for (int p = 0; p < 8; p++) {
                        const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                        sum[p][q].x += f * y.x;
                        sum[p][q].y += f * y.y;
                    }
                }
        }
        now = now == PLACES - 1 ? 0 : now + 1;
        next = next == PLACES - 1 ? 0 : next + 1;
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const int row = row0 + ty + 12 * p, column = column0 + tx * 2 + 32 * q;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q].x;
            if (row < m && column + 1 < n)
                c[row * n + column + 1] = sum[p][q].y;
        }
}
