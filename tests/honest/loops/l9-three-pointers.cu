// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 128 x 128 with three stages as structs, three pointers change roles instead of a modulo, lanes in their natural order
#include <cuda_pipeline.h>

LAUNCH(16, 16, 128, 128)

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

struct Stage {
    float4 a[128][4];
    float4 b[16][32];
};

struct Sums {
    float s[8][8];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int e = 0; e < 64; ++e)
            s[e / 8][e % 8] = 0.0f;
    }
    // One step of k: eight of a, which `part` picks from their chunks, and two chunks of b.
    template <typename Part>
    __device__ __forceinline__ void add(const float4 (&x)[8], Part part, const float4 &u, const float4 &v)
    {
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            const float f = part(x[p]);
            s[p][0] += f * u.x;
            s[p][1] += f * u.y;
            s[p][2] += f * u.z;
            s[p][3] += f * u.w;
            s[p][4] += f * v.x;
            s[p][5] += f * v.y;
            s[p][6] += f * v.z;
            s[p][7] += f * v.w;
        }
    }
};

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage ring[3];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;

    // Past the last step there is nothing to copy, but a group is closed all the same.
    const auto fetch = [&](Stage *into, int k0) {
        if (k0 < k) {
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int e = id + j * 256;
                const int r = e / 4, i = k0 + e % 4 * 4;
                copy4(&into->a[r][e % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int e = id + j * 256;
                const int i = k0 + e / 32, q = column0 + e % 32 * 4;
                copy4(&into->b[e / 32][e % 32], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
            }
        }
        __pipeline_commit();
    };

    Stage *now = &ring[0], *soon = &ring[1], *later = &ring[2];
    Sums sums;
    sums.clear();

    fetch(now, 0);
    fetch(soon, 16);
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(1);  // `now` is here, `soon` may be under way
        __syncthreads();           // for everybody; and nobody reads what was `now` before, which is `later`
        fetch(later, k0 + 32);

#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; ++p)
                x[p] = now->a[ty + 16 * p][j];
            sums.add(x, [](const float4 &f) { return f.x; }, now->b[4 * j][tx], now->b[4 * j][tx + 16]);
            sums.add(x, [](const float4 &f) { return f.y; }, now->b[4 * j + 1][tx], now->b[4 * j + 1][tx + 16]);
            sums.add(x, [](const float4 &f) { return f.z; }, now->b[4 * j + 2][tx], now->b[4 * j + 2][tx + 16]);
            sums.add(x, [](const float4 &f) { return f.w; }, now->b[4 * j + 3][tx], now->b[4 * j + 3][tx + 16]);
        }

        Stage *const was = now;
        now = soon;
        soon = later;
        later = was;
    }

#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const int row = row0 + ty + 16 * p;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int column = column0 + h * 64 + tx * 4;
            const float *s = &sums.s[p][h * 4];
            if (row < m && column < n && n % 4 == 0)
                *(float4 *)(c + (size_t)row * n + column) = make_float4(s[0], s[1], s[2], s[3]);
            else
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (row < m && column + q < n)
                        c[(size_t)row * n + column + q] = s[q];
        }
    }
}
