// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 8 x 4 scores a thread so that q and weights need no padding, XOR for k, cp.async brings k during the second product and v during the first
#include <cuda_pipeline.h>

constexpr int ROWS = 128, KEYS = 64, CHUNKS = 16;  // a row of 64 floats is 16 chunks
LAUNCH(256, 1, 64, ROWS, (2 * ROWS + 2 * KEYS) * CHUNKS * 16)

// Starts copying rows [first, first + COUNT) of `from`, which has `have` rows; the others become 0. Chunk c of row r
// goes to place c ^ (r & MASK).
template <int COUNT, int MASK>
__device__ __forceinline__ void bring(float4 *tile, const float *from, int first, int have)
{
    const float4 *chunks = reinterpret_cast<const float4 *>(from);
#pragma unroll
    for (int j = 0; j < COUNT * CHUNKS / 256; ++j) {
        const int e = threadIdx.x + j * 256, r = e / CHUNKS, c = e % CHUNKS;
        const bool there = first + r < have;
        __pipeline_memcpy_async(tile + r * CHUNKS + (c ^ (r & MASK)), chunks + (there ? (size_t)(first + r) * CHUNKS + c : 0),
                                16, there ? 0 : 16);
    }
}

// Half a warp is 16 lanes that share eight rows.
template <typename Op>
__device__ __forceinline__ float over_half_warp(float x, Op op)
{
#pragma unroll
    for (int bit = 1; bit < 16; bit <<= 1)
        x = op(x, __shfl_xor_sync(0xffffffffu, x, bit));
    return x;
}

__device__ __forceinline__ float dot(float4 x, float4 y, float sum)
{
    return fmaf(x.w, y.w, fmaf(x.z, y.z, fmaf(x.y, y.y, fmaf(x.x, y.x, sum))));
}

__device__ __forceinline__ void add(float4 &sum, float x, float4 y)
{
    sum.x = fmaf(x, y.x, sum.x);
    sum.y = fmaf(x, y.y, sum.y);
    sum.z = fmaf(x, y.z, sum.z);
    sum.w = fmaf(x, y.w, sum.w);
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ __align__(128) float4 tiles[];
    float4 *const q_tile = tiles;
    float4 *const p_tile = q_tile + ROWS * CHUNKS;
    float4 *const k_tile = p_tile + ROWS * CHUNKS;
    float4 *const v_tile = k_tile + KEYS * CHUNKS;

    // A warp has 16 rows; half of it the even ones, half the odd ones. Of each a lane has the keys tx + 16 j, and chunk
    // tx of the result.
    const int tx = threadIdx.x % 16, half = threadIdx.x / 16 % 2, row0 = threadIdx.x / 32 * 16 + half;
    const int first = blockIdx.y * ROWS;
    constexpr float SCALE = 1.44269504f / 8;  // exp(x / 8) is 2 to the power of SCALE x

    float largest[8], weight[8];
    float4 total[8];
#pragma unroll
    for (int p = 0; p < 8; ++p) {
        largest[p] = -INFINITY;
        weight[p] = 0.0f;
        total[p] = make_float4(0, 0, 0, 0);
    }

    bring<ROWS, 0>(q_tile, q, first, queries);
    bring<KEYS, 7>(k_tile, k, 0, keys);
    __pipeline_commit();

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        __pipeline_wait_prior(0);
        __syncthreads();  // keys are here; and nobody adds up the values before any more
        bring<KEYS, 0>(v_tile, v, key0, keys);
        __pipeline_commit();

        float s[8][4] = {};
#pragma unroll 2
        for (int c = 0; c < CHUNKS; ++c) {
            const float4 *at = k_tile + tx * CHUNKS + (c ^ (tx & 7));  // 16 rows further the key is the same
            const float4 b0 = at[0], b1 = at[16 * CHUNKS], b2 = at[32 * CHUNKS], b3 = at[48 * CHUNKS];
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                const float4 x = q_tile[(row0 + 2 * p) * CHUNKS + c];
                s[p][0] = dot(x, b0, s[p][0]);
                s[p][1] = dot(x, b1, s[p][1]);
                s[p][2] = dot(x, b2, s[p][2]);
                s[p][3] = dot(x, b3, s[p][3]);
            }
        }

        if (keys - key0 < KEYS)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (key0 + tx + 16 * j >= keys)
#pragma unroll
                    for (int p = 0; p < 8; ++p)
                        s[p][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 8; ++p) {
            float most = fmaxf(fmaxf(s[p][0], s[p][1]), fmaxf(s[p][2], s[p][3]));
            most = over_half_warp(most, [](float x, float y) { return fmaxf(x, y); });
            most = fmaxf(largest[p], most * SCALE);
            const float shrink = exp2f(largest[p] - most);
            largest[p] = most;

            const float4 w = make_float4(exp2f(s[p][0] * SCALE - most), exp2f(s[p][1] * SCALE - most),
                                         exp2f(s[p][2] * SCALE - most), exp2f(s[p][3] * SCALE - most));
            weight[p] = weight[p] * shrink + ((w.x + w.y) + (w.z + w.w));
            total[p].x *= shrink;
            total[p].y *= shrink;
            total[p].z *= shrink;
            total[p].w *= shrink;
            p_tile[(row0 + 2 * p) * CHUNKS + tx] = w;  // chunk tx: the keys tx, tx + 16, tx + 32, tx + 48
        }

        __pipeline_wait_prior(0);
        __syncthreads();  // values and weights are here; and nobody reads the keys any more
        if (key0 + KEYS < keys)
            bring<KEYS, 7>(k_tile, k, key0 + KEYS, keys);
        __pipeline_commit();

#pragma unroll 4
        for (int c = 0; c < CHUNKS; ++c) {
            const float4 *at = v_tile + c * CHUNKS + tx;
            const float4 b0 = at[0], b1 = at[16 * CHUNKS], b2 = at[32 * CHUNKS], b3 = at[48 * CHUNKS];
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                const float4 w = p_tile[(row0 + 2 * p) * CHUNKS + c];
                add(total[p], w.x, b0);
                add(total[p], w.y, b1);
                add(total[p], w.z, b2);
                add(total[p], w.w, b3);
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const float part = 1.0f / over_half_warp(weight[p], [](float x, float y) { return x + y; });
        const int row = first + row0 + 2 * p;
        if (row < queries)
            reinterpret_cast<float4 *>(out)[(size_t)row * CHUNKS + tx] =
                make_float4(total[p].x * part, total[p].y * part, total[p].z * part, total[p].w * part);
    }
}
