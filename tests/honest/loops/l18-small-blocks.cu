// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 64 queries and 128 threads a block, XOR swizzles, k and v by overlapping cp.async, 64 KB, three blocks an SM
#include <cuda_pipeline.h>

LAUNCH(128, 1, 64, 64, 65536)

// Rows of 16 chunks of four floats. How a row orders its chunks differs from tile to tile.
enum class Order { plain, by_eight, by_four };

template <Order O>
struct Tile {
    float4 *base;
    static __device__ __forceinline__ int place(int row, int chunk)
    {
        if constexpr (O == Order::by_eight)
            return row * 16 + (chunk ^ (row & 7));
        else if constexpr (O == Order::by_four)
            return row * 16 + (chunk ^ ((row & 3) << 1));
        else
            return row * 16 + chunk;
    }
    __device__ __forceinline__ float4 &operator()(int row, int chunk) const { return base[place(row, chunk)]; }

    template <int Rows>
    __device__ __forceinline__ void bring(const float *from, int first, int have) const
    {
#pragma unroll 4
        for (int j = 0; j < Rows / 8; ++j) {
            const int row = j * 8 + (threadIdx.x >> 4), chunk = threadIdx.x & 15;
            const bool there = first + row < have;
            const float4 *source = reinterpret_cast<const float4 *>(from);
            __pipeline_memcpy_async(&(*this)(row, chunk), source + (there ? (size_t)(first + row) * 16 + chunk : 0), 16, there ? 0 : 16);
        }
    }
};

__device__ __forceinline__ float dot(float s, const float4 &a, const float4 &b)
{
    s = fmaf(a.x, b.x, s);
    s = fmaf(a.y, b.y, s);
    s = fmaf(a.z, b.z, s);
    return fmaf(a.w, b.w, s);
}
__device__ __forceinline__ void axpy(float4 &s, float f, const float4 &v)
{
    s.x = fmaf(f, v.x, s.x);
    s.y = fmaf(f, v.y, s.y);
    s.z = fmaf(f, v.z, s.z);
    s.w = fmaf(f, v.w, s.w);
}

// Over the eight lanes that share their rows: bits 1, 3 and 4 of the lane.
template <typename F>
__device__ __forceinline__ float across(float x, F both)
{
    x = both(x, __shfl_xor_sync(0xffffffffu, x, 2));
    x = both(x, __shfl_xor_sync(0xffffffffu, x, 8));
    return both(x, __shfl_xor_sync(0xffffffffu, x, 16));
}

extern __shared__ __align__(1024) float4 arena[];

__global__ void __launch_bounds__(128, 3)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    const Tile<Order::by_four> q_tile{arena}, p_tile{arena + 1024};
    const Tile<Order::by_eight> k_tile{arena + 2048};
    const Tile<Order::plain> v_tile{arena + 3072};

    const int lane = threadIdx.x & 31;
    const int ty = (lane & 1) | (lane >> 1 & 2), tx = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int row0 = (threadIdx.x >> 5) * 16 + ty, first = blockIdx.y * 64;
    constexpr float SCALE = 1.44269504f / 8;

    float sum[4] = {}, top[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float4 total[4][2] = {};

    q_tile.bring<64>(q, first, queries);
    k_tile.bring<64>(k, 0, keys);
    __pipeline_commit();

    for (int key0 = 0; key0 < keys; key0 += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();  // k is there, and all are done with the last v
        v_tile.bring<64>(v, key0, keys);
        __pipeline_commit();

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < 16; ++c) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; ++p)
                a[p] = q_tile(row0 + 4 * p, c);
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                const float4 b = k_tile(tx + 8 * j, c);
#pragma unroll
                for (int p = 0; p < 4; ++p)
                    s[p][j] = dot(s[p][j], a[p], b);
            }
        }

#pragma unroll
        for (int p = 0; p < 4; ++p) {
            float most = -INFINITY;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                s[p][j] = key0 + tx + 8 * j < keys ? s[p][j] * SCALE : -INFINITY;
                most = fmaxf(most, s[p][j]);
            }
            most = fmaxf(top[p], across(most, [](float x, float y) { return fmaxf(x, y); }));
            const float shrink = exp2f(top[p] - most);
            top[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                float4 &t = total[p][h];
                t.x *= shrink, t.y *= shrink, t.z *= shrink, t.w *= shrink;
                const float4 w = make_float4(exp2f(s[p][h * 4] - most), exp2f(s[p][h * 4 + 1] - most),
                                             exp2f(s[p][h * 4 + 2] - most), exp2f(s[p][h * 4 + 3] - most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_tile(row0 + 4 * p, tx + 8 * h) = w;
            }
        }

        __pipeline_wait_prior(0);
        __syncthreads();  // v is there, all are done with k, and the weights are written
        if (key0 + 64 < keys)
            k_tile.bring<64>(k, key0 + 64, keys);
        __pipeline_commit();

        // Chunk c of the weights has keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < 16; ++c) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; ++p)
                w[p] = p_tile(row0 + 4 * p, c);
            const int key = (c & 7) + (c >> 3) * 32;
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const float4 b0 = v_tile(key, tx + 8 * h), b1 = v_tile(key + 8, tx + 8 * h);
                const float4 b2 = v_tile(key + 16, tx + 8 * h), b3 = v_tile(key + 24, tx + 8 * h);
#pragma unroll
                for (int p = 0; p < 4; ++p) {
                    axpy(total[p][h], w[p].x, b0);
                    axpy(total[p][h], w[p].y, b1);
                    axpy(total[p][h], w[p].z, b2);
                    axpy(total[p][h], w[p].w, b3);
                }
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 4; ++p) {
        const float part = 1.0f / across(sum[p], [](float x, float y) { return x + y; });
        const int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const float4 t = total[p][h];
                reinterpret_cast<float4 *>(out)[(size_t)row * 16 + tx + 8 * h] =
                    make_float4(t.x * part, t.y * part, t.z * part, t.w * part);
            }
    }
}
