// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: CUTLASS-style flat block of 256, 128 x 128 in split quarters, a Ring object for three stages, float4 stores
#include <cuda_pipeline.h>
#include <cstdint>

LAUNCH(256, 1, 128, 128)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

template <int N>
struct Ring {  // a number modulo N
    int at = 0;
    __device__ Ring &operator++()
    {
        at = at + 1 == N ? 0 : at + 1;
        return *this;
    }
    __device__ operator int() const { return at; }
};

template <int i>
__device__ __forceinline__ float component(const float4 &v)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

struct Accumulator {
    float4 part[8][2];  // rows 0-3 and 64-67, columns 0-3 and 64-67 from the thread's corner

    static __device__ __forceinline__ void fma4(float4 &to, float x, const float4 &y)
    {
        to.x = fmaf(x, y.x, to.x);
        to.y = fmaf(x, y.y, to.y);
        to.z = fmaf(x, y.z, to.z);
        to.w = fmaf(x, y.w, to.w);
    }
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int p = 0; p < 16; p++)
            part[p / 2][p % 2] = make_float4(0, 0, 0, 0);
    }
    template <int i>
    __device__ __forceinline__ void rank1(const float4 (&x)[8], const float4 &left, const float4 &right)
    {
#pragma unroll
        for (int p = 0; p < 8; p++) {
            fma4(part[p][0], component<i>(x[p]), left);
            fma4(part[p][1], component<i>(x[p]), right);
        }
    }
};

__global__ void __launch_bounds__(256, 1)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int STAGES = 3;
    __shared__ float4 a_tile[STAGES][128][4], b_tile[STAGES][16][32];

    const int id = threadIdx.x, tx = id % 16, ty = id / 16;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const int steps = (k + 15) / 16;

    auto fetch = [&](int step, int place) {
        if (step < steps) {
            const int k0 = step * 16;
#pragma unroll
            for (int j = 0; j < 2; j++) {
                const int e = id + j * 256, r = e / 4, i = k0 + e % 4 * 4;
                copy4(&a_tile[place][r][e % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            }
#pragma unroll
            for (int j = 0; j < 2; j++) {
                const int e = id + j * 256, s = k0 + e / 32, q = column0 + e % 32 * 4;
                copy4(&b_tile[place][e / 32][e % 32], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
            }
        }
        __pipeline_commit();  // perhaps an empty group: the count stays right
    };

    Ring<STAGES> writing, reading;
    for (int step = 0; step < STAGES - 1; step++, ++writing)
        fetch(step, writing);

    Accumulator sum;
    sum.clear();
    for (int step = 0; step < steps; step++, ++reading, ++writing) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch(step + STAGES - 1, writing);

        const float4 (*at)[4] = a_tile[reading];
        const float4 (*bt)[32] = b_tile[reading];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = at[p / 4 * 64 + ty * 4 + p % 4][i];
            sum.rank1<0>(x, bt[i * 4 + 0][tx], bt[i * 4 + 0][16 + tx]);
            sum.rank1<1>(x, bt[i * 4 + 1][tx], bt[i * 4 + 1][16 + tx]);
            sum.rank1<2>(x, bt[i * 4 + 2][tx], bt[i * 4 + 2][16 + tx]);
            sum.rank1<3>(x, bt[i * 4 + 3][tx], bt[i * 4 + 3][16 + tx]);
        }
    }

    const bool wide = n % 4 == 0 && reinterpret_cast<uintptr_t>(c) % 16 == 0;
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = row0 + p / 4 * 64 + ty * 4 + p % 4, column = column0 + h * 64 + tx * 4;
            if (row >= m)
                continue;
            float *to = c + row * n + column;
            const float4 v = sum.part[p][h];
            if (wide) {
                if (column < n)
                    *reinterpret_cast<float4 *>(to) = v;
            } else {
                if (column + 0 < n) to[0] = v.x;
                if (column + 1 < n) to[1] = v.y;
                if (column + 2 < n) to[2] = v.z;
                if (column + 3 < n) to[3] = v.w;
            }
        }
}
