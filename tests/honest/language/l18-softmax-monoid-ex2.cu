// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 128 queries a block, keys in tiles of 64; each row's state (largest, sum) is a small class, the butterfly a recursive template over the lanes of one row, weights by ex2.approx with keys that are not there at minus infinity, tiles behind pitch templates
constexpr int QUERIES = 128, KEYS = 64, CHUNKS = 16;

template <int Rows, int Pitch>
struct Tile {
    static constexpr int SIZE = Rows * Pitch;
    float4 *at;
    __device__ float4 &operator()(int r, int q) const { return at[r * Pitch + q]; }
    __device__ void fill(const float *from, int first, int have) const
    {
        const float4 *const quads = reinterpret_cast<const float4 *>(from);
#pragma unroll 4
        for (int e = threadIdx.x; e < Rows * CHUNKS; e += 256) {
            const int r = e >> 4, q = e & 15;
            (*this)(r, q) = first + r < have ? quads[(first + r) * CHUNKS + q] : float4{0.0f, 0.0f, 0.0f, 0.0f};
        }
    }
};
using Queries = Tile<QUERIES, 18>;
using Weights = Tile<QUERIES, 18>;
using Keys = Tile<KEYS, 17>;
using Values = Tile<KEYS, 16>;
constexpr int BYTES = (Queries::SIZE + Weights::SIZE + Keys::SIZE + Values::SIZE) * 16;
LAUNCH(256, 1, 64, QUERIES, BYTES)

__device__ __forceinline__ float ex2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Lanes of one row differ in the bits 1, 3 and 4 of their number.
template <int Bits, class Op>
__device__ __forceinline__ float across(float x, Op op)
{
    if constexpr (Bits == 0)
        return x;
    else {
        constexpr int BIT = Bits & -Bits;
        return across<Bits ^ BIT>(op(x, __shfl_xor_sync(0xffffffffu, x, BIT)), op);
    }
}
constexpr int ROW_BITS = 2 | 8 | 16;
constexpr float SCALE = 1.44269504f / 8;

struct State {
    float largest, sum;
    __device__ float meet(float most)  // how what was added up so far shrinks
    {
        const float now = fmaxf(largest, most), shrink = ex2(largest - now);
        largest = now;
        sum *= shrink;
        return shrink;
    }
};

__device__ __forceinline__ void scale(float4 &v, float by) { v.x *= by, v.y *= by, v.z *= by, v.w *= by; }
__device__ __forceinline__ void add(float4 &to, float w, const float4 &v)
{
    to.x = fmaf(w, v.x, to.x), to.y = fmaf(w, v.y, to.y), to.z = fmaf(w, v.z, to.z), to.w = fmaf(w, v.w, to.w);
}
__device__ __forceinline__ float dot(float s, const float4 &a, const float4 &b)
{
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, s))));
}

extern __shared__ float4 arena[];

__global__ void __launch_bounds__(256, 2)
attention(float *__restrict__ out, const float *__restrict__ q, const float *__restrict__ k,
          const float *__restrict__ v, int queries, int keys)
{
    const Queries q_tile{arena};
    const Weights w_tile{q_tile.at + Queries::SIZE};
    const Keys k_tile{w_tile.at + Weights::SIZE};
    const Values v_tile{k_tile.at + Keys::SIZE};

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, first = blockIdx.y * QUERIES;
    const int ty = (lane & 1) | (lane >> 1 & 2), tx = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int row0 = warp * 16 + ty;

    State state[4];
    float4 total[4][2] = {};
#pragma unroll
    for (State &s : state)
        s = State{-INFINITY, 0.0f};

    q_tile.fill(q, first, queries);
    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        k_tile.fill(k, key0, keys);
        v_tile.fill(v, key0, keys);
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            const float4 a[4] = {q_tile(row0, c), q_tile(row0 + 4, c), q_tile(row0 + 8, c), q_tile(row0 + 12, c)};
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = k_tile(tx + 8 * j, c);
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = dot(s[p][j], a[p], b);
            }
        }

#pragma unroll
        for (int j = 0; j < 8; j++) {
            const bool there = key0 + tx + 8 * j < keys;
#pragma unroll
            for (int p = 0; p < 4; p++)
                s[p][j] = there ? s[p][j] * SCALE : -INFINITY;
        }

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = across<ROW_BITS>(most, [](float x, float y) { return fmaxf(x, y); });
            const float shrink = state[p].meet(most);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                scale(total[p][h], shrink);
                float4 w;
                w.x = ex2(s[p][4 * h] - state[p].largest);
                w.y = ex2(s[p][4 * h + 1] - state[p].largest);
                w.z = ex2(s[p][4 * h + 2] - state[p].largest);
                w.w = ex2(s[p][4 * h + 3] - state[p].largest);
                state[p].sum += (w.x + w.y) + (w.z + w.w);
                w_tile(row0 + 4 * p, tx + 8 * h) = w;
            }
        }
        __syncwarp();

        // Chunk c of a row of weights: keys c % 8 + c / 8 * 32 and those 8, 16 and 24 further.
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            const float4 w[4] = {w_tile(row0, c), w_tile(row0 + 4, c), w_tile(row0 + 8, c), w_tile(row0 + 12, c)};
            const int key = (c & 7) + (c >> 3) * 32;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 v0 = v_tile(key, tx + 8 * h), v1 = v_tile(key + 8, tx + 8 * h);
                const float4 v2 = v_tile(key + 16, tx + 8 * h), v3 = v_tile(key + 24, tx + 8 * h);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    add(total[p][h], w[p].x, v0);
                    add(total[p][h], w[p].y, v1);
                    add(total[p][h], w[p].z, v2);
                    add(total[p][h], w[p].w, v3);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1.0f / across<ROW_BITS>(state[p].sum, [](float x, float y) { return x + y; });
        const int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 t = total[p][h];
                scale(t, part);
                reinterpret_cast<float4 *>(out)[row * CHUNKS + tx + 8 * h] = t;
            }
    }
}
