// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: CUTLASS's multistage loop: fragments one group of k ahead, wait and barrier before the last group, four places
#include <cuda_pipeline.h>

namespace gemm {

constexpr int M = 128, N = 128, K = 16, PLACES = 4, AHEAD = 2, THREADS = 256;

struct Place {
    float4 a[M][K / 4];  // chunk q of row r is kept at q ^ r / 4 % 4
    float4 b[K][N / 4];
};

constexpr int BYTES = PLACES * sizeof(Place);

}  // namespace gemm

LAUNCH(gemm::THREADS, 1, gemm::N, gemm::M, gemm::BYTES)

extern __shared__ __align__(128) unsigned char memory[];

namespace gemm {

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

struct Fragment {
    float4 row[8];  // four neighbours along k of each of eight rows
};

template <int I>
__device__ __forceinline__ float part(const float4 &v)
{
    return I == 0 ? v.x : I == 1 ? v.y : I == 2 ? v.z : v.w;
}

template <int I>
__device__ __forceinline__ void products(float (&sum)[8][8], const Fragment &x, const float4 *b)
{
    if constexpr (I < 4) {
        const float4 u = b[I * (N / 4)], v = b[I * (N / 4) + 16];
        const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
        for (int p = 0; p < 8; p++)
#pragma unroll
            for (int q = 0; q < 8; q++)
                sum[p][q] += part<I>(x.row[p]) * y[q];
        products<I + 1>(sum, x, b);
    }
}

}  // namespace gemm

__global__ void __launch_bounds__(gemm::THREADS)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using namespace gemm;
    Place *places = reinterpret_cast<Place *>(memory);

    // A warp has 4 x 8 of the 16 x 16 threads. Bits 0 and 2 of the lane are ty, bits 1, 3 and 4 tx.
    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp / 2 * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = warp % 2 * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * M, column0 = blockIdx.x * N;
    const int steps = (k + K - 1) / K;

    auto fetch = [&](int step) {  // past the end of k: zeros
        Place &to = places[step % PLACES];
        const int k0 = step * K;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * THREADS, r = e / 4, i = k0 + e % 4 * 4;
            copy4(&to.a[r][e % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int e = id + j * THREADS, i = k0 + e / 32, q = column0 + e % 32 * 4;
            copy4(&to.b[e / 32][e % 32], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };

    auto read = [&](Fragment &x, const Place &from, int group) {
#pragma unroll
        for (int p = 0; p < 8; p++)
            x.row[p] = from.a[p / 4 * 64 + ty * 4 + p % 4][group ^ (ty & 3)];
    };

    float sum[8][8] = {};
    Fragment x[2];

    for (int step = 0; step < AHEAD; step++)
        fetch(step);
    __pipeline_wait_prior(AHEAD - 1);
    __syncthreads();
    read(x[0], places[0], 0);

    for (int step = 0; step < steps; step++) {
        const Place &here = places[step % PLACES], &next = places[(step + 1) % PLACES];
#pragma unroll
        for (int group = 0; group < 4; group++) {
            if (group == 3) {
                // Step + 2 may stay under way; step + 1 is here when all have waited.
                __pipeline_wait_prior(AHEAD - 1);
                __syncthreads();
            }
            read(x[(group + 1) % 2], group == 3 ? next : here, (group + 1) % 4);
            // The place of step + 2 was step - 2's. All had left that before the barrier in step - 1.
            if (group == 0)
                fetch(step + AHEAD);
            products<0>(sum, x[group % 2], &here.b[group * 4][tx]);
        }
    }
    __pipeline_wait_prior(0);  // zeros that nobody reads

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int h = 0; h < 8; h += 4) {
            const int column = column0 + h * 16 + tx * 4;
            if (row < m && column + 4 <= n && n % 4 == 0)
                *(float4 *)&c[row * n + column] = make_float4(sum[p][h], sum[p][h + 1], sum[p][h + 2], sum[p][h + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        c[row * n + column + q] = sum[p][h + q];
        }
    }
}
