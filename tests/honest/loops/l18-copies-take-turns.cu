// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: k is copied while the result is added up and v while the scores are computed: one place each, cp.async, two barriers a tile
#include <cuda_pipeline.h>

LAUNCH(256, 1, 64, 128, 107520)

namespace {

constexpr int ROWS = 128, KEYS = 64, CHUNKS = 16, THREADS = 256;

// A tile of rows of 16 chunks, PITCH chunks apart.
template <int COUNT, int PITCH> struct Tile {
    static constexpr int SIZE = COUNT * PITCH;
    float4 *base;

    __device__ float4 &operator()(int row, int chunk) const { return base[row * PITCH + chunk]; }

    // Starts copies of rows [first, first + COUNT) of `from`; zeros for those that are not among `have`.
    __device__ void bring(const float *from, int first, int have) const
    {
        const int chunk = threadIdx.x % CHUNKS;
#pragma unroll
        for (int j = 0; j < COUNT * CHUNKS / THREADS; j++) {
            const int row = threadIdx.x / CHUNKS + j * (THREADS / CHUNKS);
            const bool exists = first + row < have;
            __pipeline_memcpy_async(&(*this)(row, chunk),
                                    reinterpret_cast<const float4 *>(from) + (exists ? (first + row) * CHUNKS + chunk : 0),
                                    16, exists ? 0 : 16);
        }
        __pipeline_commit();
    }
};

using Q = Tile<ROWS, 18>;
using P = Tile<ROWS, 18>;
using K = Tile<KEYS, 17>;
using V = Tile<KEYS, 16>;
static_assert((Q::SIZE + P::SIZE + K::SIZE + V::SIZE) * sizeof(float4) == 107520, "as LAUNCH says");

__device__ __forceinline__ float dot(float sum, const float4 &x, const float4 &y)
{
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

__device__ __forceinline__ void add(float4 &sum, float x, const float4 &y)
{
    sum.x = fmaf(x, y.x, sum.x);
    sum.y = fmaf(x, y.y, sum.y);
    sum.z = fmaf(x, y.z, sum.z);
    sum.w = fmaf(x, y.w, sum.w);
}

// Over the eight lanes that have the same rows: they differ in bits 1, 3 and 4.
template <typename Op> __device__ __forceinline__ float over_row(float x, Op op)
{
    x = op(x, __shfl_xor_sync(0xffffffffu, x, 2));
    x = op(x, __shfl_xor_sync(0xffffffffu, x, 8));
    return op(x, __shfl_xor_sync(0xffffffffu, x, 16));
}

}  // namespace

extern __shared__ float4 tiles[];

__global__ void __launch_bounds__(THREADS, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    const Q q_tile{tiles};
    const P p_tile{q_tile.base + Q::SIZE};
    const K k_tile{p_tile.base + P::SIZE};
    const V v_tile{k_tile.base + K::SIZE};

    // A warp has 16 rows: a thread has rows row0 + 4 p, keys tx + 8 j, chunks tx + 8 h.
    const int lane = threadIdx.x & 31;
    const int tx = ((lane >> 1) & 1) | ((lane >> 2) & 6);
    const int row0 = (threadIdx.x >> 5) * 16 + ((lane & 1) | ((lane >> 1) & 2));
    const int first = blockIdx.y * ROWS;

    float sum[4] = {}, largest[4];
    float4 total[4][2] = {};
#pragma unroll
    for (int p = 0; p < 4; p++)
        largest[p] = -INFINITY;

    q_tile.bring(q, first, queries);
    k_tile.bring(k, 0, keys);

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        __pipeline_wait_prior(0);
        __syncthreads();  // k is here for all, and nobody reads v any more
        v_tile.bring(v, key0, keys);

        float s[4][8] = {};
#pragma unroll 2
        for (int c = 0; c < CHUNKS; c++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = q_tile(row0 + 4 * p, c);  // @q
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 y = k_tile(tx + 8 * j, c);  // @k
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = dot(s[p][j], x[p], y);
            }
        }
        if (keys - key0 < KEYS)
#pragma unroll
            for (int j = 0; j < 8; j++)
                if (tx + 8 * j >= keys - key0)
                    s[0][j] = s[1][j] = s[2][j] = s[3][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            constexpr float SCALE = 1.44269504f / 8;  // powers of two
            float most = fmaxf(fmaxf(fmaxf(s[p][0], s[p][1]), fmaxf(s[p][2], s[p][3])),
                               fmaxf(fmaxf(s[p][4], s[p][5]), fmaxf(s[p][6], s[p][7])));
            most = over_row(most, [](float x, float y) { return fmaxf(x, y); });
            most = fmaxf(largest[p], most * SCALE);
            const float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[p][h].x *= shrink;
                total[p][h].y *= shrink;
                total[p][h].z *= shrink;
                total[p][h].w *= shrink;
                const float4 w = make_float4(exp2f(s[p][4 * h] * SCALE - most), exp2f(s[p][4 * h + 1] * SCALE - most),
                                             exp2f(s[p][4 * h + 2] * SCALE - most), exp2f(s[p][4 * h + 3] * SCALE - most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_tile(row0 + 4 * p, tx + 8 * h) = w;  // keys tx + 32 h + 0, 8, 16, 24
            }
        }

        __pipeline_wait_prior(0);
        __syncthreads();  // v and the weights are here for all, and nobody reads k any more
        if (key0 + KEYS < keys)
            k_tile.bring(k, key0 + KEYS, keys);

#pragma unroll 2
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile(row0 + 4 * p, c);  // @p
            const int key = c % 8 + c / 8 * 32;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 y0 = v_tile(key, tx + 8 * h), y1 = v_tile(key + 8, tx + 8 * h);
                const float4 y2 = v_tile(key + 16, tx + 8 * h), y3 = v_tile(key + 24, tx + 8 * h);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    add(total[p][h], w[p].x, y0);
                    add(total[p][h], w[p].y, y1);
                    add(total[p][h], w[p].z, y2);
                    add(total[p][h], w[p].w, y3);
                }
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1.0f / over_row(sum[p], [](float x, float y) { return x + y; });
        const int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 t = total[p][h];
                reinterpret_cast<float4 *>(out)[row * CHUNKS + tx + 8 * h] =
                    make_float4(t.x * part, t.y * part, t.z * part, t.w * part);
            }
    }
}
