// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline of thread scope says commit and wait, eight rows of a thread side by side (XOR key is its number), carved pointers, b one k ahead
#include <cuda/pipeline>
#include <cuda_pipeline.h>

LAUNCH(16, 16, 128, 128)

constexpr int STAGES = 3;
constexpr int A_CHUNKS = 128 * 4, B_CHUNKS = 16 * 32;  // of four floats, in one stage

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

// sum[0 … 7] += x * y
__device__ __forceinline__ void axpy8(float (&sum)[8], float x, const float4 &u, const float4 &v)
{
    sum[0] += x * u.x;
    sum[1] += x * u.y;
    sum[2] += x * u.z;
    sum[3] += x * u.w;
    sum[4] += x * v.x;
    sum[5] += x * v.y;
    sum[6] += x * v.z;
    sum[7] += x * v.w;
}

__global__ void __launch_bounds__(256, 1) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 places[STAGES * (A_CHUNKS + B_CHUNKS)];

    // A warp has 4 x 8 of the 16 x 16 threads: bits 0 and 2 of the lane choose ty, the others tx.
    const int id = threadIdx.y * 16 + threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp / 2 * 4 + lane % 2 + lane / 4 % 2 * 2;
    const int tx = warp % 2 * 8 + lane / 2 % 2 + lane / 8 * 2;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();

    auto fetch = [&](int step) {
        float4 *a_tile = places + step % STAGES * (A_CHUNKS + B_CHUNKS), *b_tile = a_tile + A_CHUNKS;
        pipe.producer_acquire();
#pragma unroll
        for (int j = 0; j < A_CHUNKS / 256; j++) {
            const int e = id + j * 256, row = row0 + e / 4, i = step * 16 + e % 4 * 4;
            // Rows of different threads lie 512 bytes apart: chunk q of row r is kept at q ^ r / 8 % 4.
            copy4(a_tile + (e ^ (e >> 5 & 3)), a, row * k + i, row < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < B_CHUNKS / 256; j++) {
            const int e = id + j * 256, i = step * 16 + e / 32, column = column0 + e % 32 * 4;
            copy4(b_tile + e, b, i * n + column, i < k ? n - column : 0, n % 4 == 0);
        }
        pipe.producer_commit();
    };

    float sum[8][8] = {};
    const int steps = (k + 15) / 16;
    for (int step = 0; step < STAGES - 1; step++)
        fetch(step);

    for (int step = 0; step < steps; step++) {
        cuda::pipeline_consumer_wait_prior<STAGES - 2>(pipe);
        __syncthreads();
        fetch(step + STAGES - 1);

        const float4 *x_row = places + step % STAGES * (A_CHUNKS + B_CHUNKS) + ty * 8 * 4;
        const float4 *y_row = places + step % STAGES * (A_CHUNKS + B_CHUNKS) + A_CHUNKS + tx;
        float4 u = y_row[0], v = y_row[16];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = x_row[p * 4 + (j ^ ty % 4)];
#pragma unroll
            for (int i = j * 4; i < j * 4 + 4; i++) {
                const float4 u_now = u, v_now = v;
                if (i < 15) {
                    u = y_row[(i + 1) * 32];
                    v = y_row[(i + 1) * 32 + 16];
                }
#pragma unroll
                for (int p = 0; p < 8; p++)
                    axpy8(sum[p], i % 4 == 0 ? x[p].x : i % 4 == 1 ? x[p].y : i % 4 == 2 ? x[p].z : x[p].w, u_now, v_now);
            }
        }
        pipe.consumer_release();
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + ty * 8 + p;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int column = column0 + tx * 4 + h * 64;
            if (row < m && n % 4 == 0 && column < n)
                *(float4 *)(c + (size_t)row * n + column) =
                    make_float4(sum[p][h * 4], sum[p][h * 4 + 1], sum[p][h * 4 + 2], sum[p][h * 4 + 3]);
            if (row < m && n % 4 != 0)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (column + q < n)
                        c[(size_t)row * n + column + q] = sum[p][h * 4 + q];
        }
    }
}
