// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 128 queries a block, cp.async of k and v each behind the other's use, softmax in base 2, a Shared struct and row-group shuffles
#include <cuda_pipeline.h>

constexpr int D = 64, KEYS = 64, QUERIES = 128, THREADS = 256;

template <int ROWS, int PITCH>
struct Rows {  // of 64 floats, PITCH apart
    float data[ROWS * PITCH];
    static_assert(PITCH % 4 == 0, "float4");
    __device__ __forceinline__ float4 *four(int r, int q) { return reinterpret_cast<float4 *>(data + r * PITCH) + q; }
    __device__ __forceinline__ float &one(int r, int c) { return data[r * PITCH + c]; }
};

struct Shared {
    Rows<QUERIES, 68> q;
    Rows<KEYS, 68> k, v;
    Rows<QUERIES, 72> p;  // 72: single floats of four rows x eight columns fall into 32 banks
};
constexpr int BYTES = (QUERIES * (68 + 72) + 2 * KEYS * 68) * 4;
static_assert(sizeof(Shared) == BYTES, "");

LAUNCH(THREADS, 1, D, QUERIES, BYTES)

// Starts copying rows first .. first + ROWS - 1; those that do not exist become 0.
template <int ROWS, int PITCH>
__device__ __forceinline__ void fetch(Rows<ROWS, PITCH> &to, const float *from, int first, int rows)
{
#pragma unroll
    for (int j = 0; j < ROWS * 16 / THREADS; j++) {
        const int e = threadIdx.x + j * THREADS, r = e / 16, q = e % 16;
        const bool exists = first + r < rows;
        __pipeline_memcpy_async(to.four(r, q), from + (exists ? (size_t)(first + r) * D + q * 4 : 0), 16, exists ? 0 : 16);
    }
}

// op over the eight lanes that share rows
template <class Op>
__device__ __forceinline__ float across(float x, Op op)
{
#pragma unroll
    for (int bit = 1; bit < 8; bit *= 2)
        x = op(x, __shfl_xor_sync(0xffffffffu, x, bit));
    return x;
}

__device__ __forceinline__ void dot(float &to, const float4 &x, const float4 &y)
{
    to = fmaf(x.x, y.x, to);
    to = fmaf(x.y, y.y, to);
    to = fmaf(x.z, y.z, to);
    to = fmaf(x.w, y.w, to);
}
__device__ __forceinline__ void axpy(float4 &to, float x, const float4 &y)
{
    to.x = fmaf(x, y.x, to.x);
    to.y = fmaf(x, y.y, to.y);
    to.z = fmaf(x, y.z, to.z);
    to.w = fmaf(x, y.w, to.w);
}

__global__ void __launch_bounds__(THREADS, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 raw[];
    Shared &shared = *reinterpret_cast<Shared *>(raw);

    // A warp has 16 rows; a lane rows g, g + 4, g + 8, g + 12 of them, and keys t, t + 8, ... or columns 4 t .. and 32 + 4 t ..
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 8, t = lane % 8;
    const int first = blockIdx.y * QUERIES, mine = warp * 16 + g;
    const float scale = 1.4426950408889634f / 8;  // log2(e) / sqrt(64)

    float4 total[4][2];
    float largest[4], sum[4];
#pragma unroll
    for (int r = 0; r < 4; r++) {
        total[r][0] = total[r][1] = make_float4(0, 0, 0, 0);
        largest[r] = -INFINITY;
        sum[r] = 0;
    }

    fetch(shared.q, q, first, queries);
    fetch(shared.k, k, 0, keys);
    __pipeline_commit();

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        __pipeline_wait_prior(0);
        __syncthreads();  // k is here for all, and nobody needs the last v or weights any more
        fetch(shared.v, v, key0, keys);
        __pipeline_commit();

        float s[4][8] = {};
#pragma unroll 4
        for (int d = 0; d < D / 4; d++) {
            float4 x[4];
#pragma unroll
            for (int r = 0; r < 4; r++)
                x[r] = *shared.q.four(mine + 4 * r, d);
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 y = *shared.k.four(t + 8 * j, d);
#pragma unroll
                for (int r = 0; r < 4; r++)
                    dot(s[r][j], x[r], y);
            }
        }

#pragma unroll
        for (int r = 0; r < 4; r++) {
            float high = -INFINITY;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[r][j] = key0 + t + 8 * j < keys ? s[r][j] * scale : -INFINITY;
                high = fmaxf(high, s[r][j]);
            }
            high = fmaxf(largest[r], across(high, [](float x, float y) { return fmaxf(x, y); }));  // finite: key0 exists
            const float shrink = exp2f(largest[r] - high);
            largest[r] = high;
            sum[r] *= shrink;  // of this lane's keys only; the lanes are added up at the end
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[r][h].x *= shrink;
                total[r][h].y *= shrink;
                total[r][h].z *= shrink;
                total[r][h].w *= shrink;
            }
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float weight = exp2f(s[r][j] - high);
                sum[r] += weight;
                shared.p.one(mine + 4 * r, t + 8 * j) = weight;
            }
        }

        __pipeline_wait_prior(0);
        __syncthreads();  // v is here for all (and the weights), and nobody needs k any more
        if (key0 + KEYS < keys)
            fetch(shared.k, k, key0 + KEYS, keys);
        __pipeline_commit();

#pragma unroll 4
        for (int j = 0; j < KEYS / 4; j++) {
            float4 weight[4];
#pragma unroll
            for (int r = 0; r < 4; r++)
                weight[r] = *shared.p.four(mine + 4 * r, j);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 left = *shared.v.four(4 * j + i, t), right = *shared.v.four(4 * j + i, 8 + t);
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    const float w = i == 0 ? weight[r].x : i == 1 ? weight[r].y : i == 2 ? weight[r].z : weight[r].w;
                    axpy(total[r][0], w, left);
                    axpy(total[r][1], w, right);
                }
            }
        }
    }

#pragma unroll
    for (int r = 0; r < 4; r++) {
        const float factor = 1.0f / across(sum[r], [](float x, float y) { return x + y; });
        const int row = first + mine + 4 * r;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 x = total[r][h];
                x = make_float4(x.x * factor, x.y * factor, x.z * factor, x.w * factor);
                reinterpret_cast<float4 *>(out)[(size_t)row * 16 + h * 8 + t] = x;
            }
    }
}
