// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: two stages 32 deep in dynamic memory, as in CUTLASS' multistage loop: the copies for the next step are dealt out among the eight parts of this one's products, one commit, one wait and one barrier a step
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128, 65536)

constexpr int DEEP = 32, PARTS = DEEP / 4;

struct Stage {
    float4 a[128][PARTS];  // chunk q of row r at q ^ key(r)
    float4 b[DEEP][32];
};

__device__ __forceinline__ int key(int r) { return r >> 2 & 7; }

// Four neighbours of one row, of which `have` exist (have <= 0: none).
__device__ __forceinline__ void bring(float4 *to, const float *matrix, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, matrix + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, matrix + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    extern __shared__ __align__(16) Stage stages[];

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int ty = (warp >> 1) * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = (warp & 1) * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const bool a_aligned = k % 4 == 0, b_aligned = n % 4 == 0;

    // Part p of a step's copies: 128 of the 1024 chunks of a by half of the threads, and as many of b by the
    // other half: threads 0 - 127 bring rows of a, threads 128 - 255 bring rows of b. In all, each thread has eight.
    auto deal = [&](Stage &to, int k0, int part) {
        if (id < 128) {
            const int e = part * 128 + id, r = e >> 3, q = e & 7, i = k0 + q * 4;
            bring(&to.a[r][q ^ key(r)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, a_aligned);
        } else {
            const int e = part * 128 + id - 128, r = e >> 5, q = e & 31, i = k0 + r, column = column0 + q * 4;
            bring(&to.b[r][q], b, i * n + column, i < k ? n - column : 0, b_aligned);
        }
    };

    for (int part = 0; part < PARTS; part++)
        deal(stages[0], 0, part);
    __pipeline_commit();

    float sum[8][8] = {};
    int now = 0;
    for (int k0 = 0; k0 < k; k0 += DEEP, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();  // this stage is here for all, and nobody reads the other one any more
        const Stage &from = stages[now];
        Stage &to = stages[now ^ 1];
        const bool more = k0 + DEEP < k;

#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            if (more)
                deal(to, k0 + DEEP, part);
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                const int r = p / 4 * 64 + ty * 4 + p % 4;
                x[p] = from.a[r][part ^ (ty & 7)];  // key(r) is ty & 7
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = from.b[part * 4 + i][tx], v = from.b[part * 4 + i][tx + 16];
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
        __pipeline_commit();
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int column = column0 + h * 64 + tx * 4;
            const float *four = &sum[p][h * 4];
            if (row < m && n % 4 == 0) {
                if (column < n)
                    *(float4 *)(c + row * n + column) = make_float4(four[0], four[1], four[2], four[3]);
            } else if (row < m)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (column + q < n)
                        c[row * n + column + q] = four[q];
        }
    }
}
