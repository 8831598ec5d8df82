// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 64 queries a block of four warps, lanes in natural order as tiles of eight (cg::reduce), queries scaled on their way in, PTX cp.async
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Chunks of four floats from row to row of each tile, and where each tile begins.
constexpr int THREADS = 128, ROWS = 64, KEYS = 64;
constexpr int Q_PITCH = 18, W_PITCH = 18, K_PITCH = 17, V_PITCH = 16;
constexpr int Q_AT = 0, W_AT = Q_AT + ROWS * Q_PITCH, K_AT = W_AT + ROWS * W_PITCH, V_AT = K_AT + KEYS * K_PITCH;
constexpr int BYTES = (V_AT + KEYS * V_PITCH) * 16;
LAUNCH(THREADS, 1, 64, ROWS, BYTES)

extern __shared__ float4 chunks[];

// 64 keys from `first` on, a row for 16 threads, eight rows at a time. No source bytes: zeros.
template <int PITCH>
__device__ __forceinline__ void start_copies(float4 *tile, const float *from, int first, int keys)
{
    const int q = threadIdx.x & 15;
    unsigned to = (unsigned)__cvta_generic_to_shared(tile + (threadIdx.x >> 4) * PITCH + q);
    int row = first + (threadIdx.x >> 4);
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++, row += 8, to += 8 * PITCH * 16) {
        const bool exists = row < keys;
        const float *source = from + (exists ? (size_t)row * 64 + q * 4 : 0);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :: "r"(to), "l"(__cvta_generic_to_global(source)), "r"(exists ? 16 : 0) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ __forceinline__ void all_copies_here()
{
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS, 3)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    const int tx = eight.thread_rank(), ty = eight.meta_group_rank() & 3, warp = threadIdx.x >> 5;
    const int mine = warp * 16 + ty;  // rows mine + 4 p
    const int first = blockIdx.y * ROWS;

    start_copies<K_PITCH>(chunks + K_AT, k, 0, keys);

    // exp(x / 8) = 2 ^ (x * log2(e) / 8): the factor goes into the queries.
    constexpr float FACTOR = 1.44269504f / 8;
#pragma unroll
    for (int j = 0; j < ROWS / 8; j++) {
        const int row = (threadIdx.x >> 4) + j * 8, c = threadIdx.x & 15;
        float4 x = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (first + row < queries)
            x = __ldg(reinterpret_cast<const float4 *>(q) + (size_t)(first + row) * 16 + c);
        chunks[Q_AT + row * Q_PITCH + c] = make_float4(x.x * FACTOR, x.y * FACTOR, x.z * FACTOR, x.w * FACTOR);
    }

    float sum[4], largest[4];
    float4 low[4], high[4];  // chunks tx and tx + 8 of the result
#pragma unroll
    for (int p = 0; p < 4; p++) {
        sum[p] = 0.0f;
        largest[p] = -INFINITY;
        low[p] = high[p] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }

    for (int left = keys, key0 = 0; left > 0; left -= KEYS, key0 += KEYS) {
        all_copies_here();  // k; and v is free
        start_copies<V_PITCH>(chunks + V_AT, v, key0, keys);

        float s[4][8] = {};
        const float4 *x_at = chunks + Q_AT + mine * Q_PITCH, *y_at = chunks + K_AT + tx * K_PITCH;
#pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = x_at[p * 4 * Q_PITCH + c];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 y = y_at[j * 8 * K_PITCH + c];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    s[p][j] += x[p].x * y.x;
                    s[p][j] += x[p].y * y.y;
                    s[p][j] += x[p].z * y.z;
                    s[p][j] += x[p].w * y.w;
                }
            }
        }
        if (left < KEYS)
#pragma unroll
            for (int j = 0; j < 8; j++)
                if (tx + j * 8 >= left)
#pragma unroll
                    for (int p = 0; p < 4; p++)
                        s[p][j] = -INFINITY;

        float4 *w_at = chunks + W_AT + mine * W_PITCH;
#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = fmaxf(largest[p], cg::reduce(eight, most, cg::greater<float>()));
            const float shrink = exp2f(largest[p] - most);
            largest[p] = most;
#pragma unroll
            for (int j = 0; j < 8; j++)
                s[p][j] = exp2f(s[p][j] - most);
            sum[p] = sum[p] * shrink + (((s[p][0] + s[p][1]) + (s[p][2] + s[p][3])) + ((s[p][4] + s[p][5]) + (s[p][6] + s[p][7])));
            low[p].x *= shrink, low[p].y *= shrink, low[p].z *= shrink, low[p].w *= shrink;
            high[p].x *= shrink, high[p].y *= shrink, high[p].z *= shrink, high[p].w *= shrink;
            // Chunk tx: keys tx, tx + 8, tx + 16, tx + 24; chunk tx + 8: those 32 further.
            w_at[p * 4 * W_PITCH + tx] = make_float4(s[p][0], s[p][1], s[p][2], s[p][3]);
            w_at[p * 4 * W_PITCH + tx + 8] = make_float4(s[p][4], s[p][5], s[p][6], s[p][7]);
        }

        all_copies_here();  // v; the weights are stored, and k is free
        if (left > KEYS)
            start_copies<K_PITCH>(chunks + K_AT, k, key0 + KEYS, keys);

#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll 2
            for (int c = 0; c < 8; c++) {
                float4 w[4];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    w[p] = w_at[p * 4 * W_PITCH + half * 8 + c];
                const float4 *y = chunks + V_AT + (half * 32 + c) * V_PITCH + tx;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const float4 y0 = y[i * 8 * V_PITCH], y1 = y[i * 8 * V_PITCH + 8];
#pragma unroll
                    for (int p = 0; p < 4; p++) {
                        const float weight = i == 0 ? w[p].x : i == 1 ? w[p].y : i == 2 ? w[p].z : w[p].w;
                        low[p].x += weight * y0.x, low[p].y += weight * y0.y, low[p].z += weight * y0.z, low[p].w += weight * y0.w;
                        high[p].x += weight * y1.x, high[p].y += weight * y1.y, high[p].z += weight * y1.z, high[p].w += weight * y1.w;
                    }
                }
            }
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1.0f / cg::reduce(eight, sum[p], cg::plus<float>());
        const int row = first + mine + 4 * p;
        if (row < queries) {
            float4 *to = reinterpret_cast<float4 *>(out) + (size_t)row * 16 + tx;
            to[0] = make_float4(low[p].x * part, low[p].y * part, low[p].z * part, low[p].w * part);
            to[8] = make_float4(high[p].x * part, high[p].y * part, high[p].z * part, high[p].w * part);
        }
    }
}
