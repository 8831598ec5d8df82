// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 48 keys a tile, six for each lane: weights are written as float2 and read as float4, whose key is e / 6 + 8 (e % 6)
constexpr int ROWS = 128, KEYS = 48, CHUNKS = 16;
constexpr int Q_WIDE = 18, K_WIDE = 17, V_WIDE = 16, P_WIDE = 14;  // in chunks of four floats
constexpr int BYTES = 16 * (ROWS * Q_WIDE + ROWS * P_WIDE + KEYS * K_WIDE + KEYS * V_WIDE);
LAUNCH(256, 1, 64, 128, 90880)
static_assert(BYTES == 90880, "what LAUNCH says");

__device__ void fill(float4 *tile, int wide, const float *from, int first, int rows, int have)
{
    for (int e = threadIdx.x; e < rows * CHUNKS; e += 256) {
        int row = e / CHUNKS, chunk = e % CHUNKS;
        tile[row * wide + chunk] =
            first + row < have ? ((const float4 *)from)[(first + row) * CHUNKS + chunk] : make_float4(0, 0, 0, 0);
    }
}

__device__ __forceinline__ void add(float4 &sum, float x, float4 y)
{
    sum.x = fmaf(x, y.x, sum.x);
    sum.y = fmaf(x, y.y, sum.y);
    sum.z = fmaf(x, y.z, sum.z);
    sum.w = fmaf(x, y.w, sum.w);
}

// Of the lanes with the same ty: those that differ in bits 1, 3 and 4.
template <typename Op>
__device__ __forceinline__ float over_tx(float x, Op op)
{
    x = op(x, __shfl_xor_sync(0xffffffffu, x, 2));
    x = op(x, __shfl_xor_sync(0xffffffffu, x, 8));
    return op(x, __shfl_xor_sync(0xffffffffu, x, 16));
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    float4 *q_tile = tiles, *p_tile = q_tile + ROWS * Q_WIDE;
    float4 *k_tile = p_tile + ROWS * P_WIDE, *v_tile = k_tile + KEYS * K_WIDE;

    int lane = threadIdx.x % 32, ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = threadIdx.x / 32 * 16 + ty, first = blockIdx.y * ROWS;

    float sum[4] = {}, largest[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float4 total[4][2] = {};

    fill(q_tile, Q_WIDE, q, first, ROWS, queries);
    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        fill(k_tile, K_WIDE, k, key0, KEYS, keys);
        fill(v_tile, V_WIDE, v, key0, KEYS, keys);
        __syncthreads();

        float s[4][6] = {};  // keys tx + 8 j
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile[(row0 + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int j = 0; j < 6; j++) {
                float4 b = k_tile[(tx + 8 * j) * K_WIDE + c];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = fmaf(a[p].w, b.w, fmaf(a[p].z, b.z, fmaf(a[p].y, b.y, fmaf(a[p].x, b.x, s[p][j]))));
            }
        }

        if (key0 + KEYS > keys)
#pragma unroll
            for (int j = 0; j < 6; j++)
                if (key0 + tx + 8 * j >= keys)
#pragma unroll
                    for (int p = 0; p < 4; p++)
                        s[p][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            constexpr float SCALE = 1.44269504f / 8;  // exp(x / 8) is 2 to the power of SCALE x
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 6; j++)
                most = fmaxf(most, s[p][j]);
            most = over_tx(most, [](float x, float y) { return fmaxf(x, y); });
            most = fmaxf(largest[p], most * SCALE);
            float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 &t = total[p][h];
                t.x *= shrink, t.y *= shrink, t.z *= shrink, t.w *= shrink;
            }

            // Six weights side by side: 16 lanes with four rows and four tx write 32 different banks.
            float2 *to = (float2 *)(p_tile + (row0 + 4 * p) * P_WIDE) + tx * 3;
#pragma unroll
            for (int j = 0; j < 3; j++) {
                float2 w = make_float2(exp2f(s[p][2 * j] * SCALE - most), exp2f(s[p][2 * j + 1] * SCALE - most));
                sum[p] += w.x + w.y;
                to[j] = w;
            }
        }
        __syncwarp();

        // Weight e of a row belongs to key e / 6 + 8 (e % 6). Three chunks are two lanes' weights.
#pragma unroll 1
        for (int c3 = 0; c3 < 4; c3++)
#pragma unroll
            for (int c = 0; c < 3; c++) {
                float4 w[4];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    w[p] = p_tile[(row0 + 4 * p) * P_WIDE + c3 * 3 + c];
                const float4 *from = v_tile + c3 * 2 * V_WIDE + tx;
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    int e = 4 * c + i, key = e / 6 + 8 * (e % 6);
#pragma unroll
                    for (int h = 0; h < 2; h++) {
                        float4 b = from[key * V_WIDE + 8 * h];
#pragma unroll
                        for (int p = 0; p < 4; p++)
                            add(total[p][h], i == 0 ? w[p].x : i == 1 ? w[p].y : i == 2 ? w[p].z : w[p].w, b);
                    }
                }
            }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        float part = 1 / over_tx(sum[p], [](float x, float y) { return x + y; });
        int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 t = total[p][h];
                ((float4 *)out)[row * CHUNKS + tx + 8 * h] = make_float4(t.x * part, t.y * part, t.z * part, t.w * part);
            }
    }
}
