// lesson 18; device sim,gpu; nvcc,clang; want: pass; tries: the keys from the back: the short tile is taken first and by another instance of the step, so that the loop over whole tiles has no mask; q is scaled when it is fetched, and vectors have operators
LAUNCH(256, 1, 64, 128, 107520)

constexpr int ROWS = 128, KEYS = 64, CHUNKS = 16, Q_WIDE = 18, K_WIDE = 17, V_WIDE = 16;

struct Vec {
    float4 v;
    __device__ __forceinline__ Vec &operator*=(float f)
    {
        v.x *= f;
        v.y *= f;
        v.z *= f;
        v.w *= f;
        return *this;
    }
    __device__ __forceinline__ void add(float f, const float4 &o)
    {
        v.x += f * o.x;
        v.y += f * o.y;
        v.z += f * o.z;
        v.w += f * o.w;
    }
};

// Two to the power of x, as the hardware has it; 0 for minus infinity.
__device__ __forceinline__ float ptx_exp2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ __forceinline__ float over_columns_max(float x)
{
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));  // the lanes of one row differ in bits 1, 3 and 4
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 8));
    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 16));
}

__device__ __forceinline__ float over_columns_sum(float x)
{
    x += __shfl_xor_sync(0xffffffffu, x, 2);
    x += __shfl_xor_sync(0xffffffffu, x, 8);
    return x + __shfl_xor_sync(0xffffffffu, x, 16);
}

struct Softmax {
    float4 *q_tile, *p_tile, *k_tile, *v_tile;
    int tx, row0;
    float largest[4], sum[4];
    Vec total[4][2];

    // `have` rows are there, if not all.
    template <int COUNT, bool SOME>
    __device__ static void fill(float4 *tile, int wide, const float *from, int have, float scale)
    {
#pragma unroll
        for (int j = 0; j < COUNT / 16; j++) {
            const int row = j * 16 + threadIdx.x / 16, chunk = threadIdx.x % 16;
            Vec four = {};
            if (!SOME || row < have)
                four.v = ((const float4 *)from)[row * CHUNKS + chunk];
            if (scale != 1.0f)
                four *= scale;
            tile[row * wide + chunk] = four.v;
        }
    }

    template <bool SOME>
    __device__ void step(const float *k, const float *v, int have)
    {
        fill<KEYS, SOME>(k_tile, K_WIDE, k, have, 1.0f);
        fill<KEYS, SOME>(v_tile, V_WIDE, v, have, 1.0f);
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile[(row0 + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = k_tile[(tx + 8 * j) * K_WIDE + c];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    s[p][j] += a[p].x * b.x;
                    s[p][j] += a[p].y * b.y;
                    s[p][j] += a[p].z * b.z;
                    s[p][j] += a[p].w * b.w;
                }
            }
        }
        if (SOME)
#pragma unroll
            for (int j = 0; j < 8; j++)
                if (tx + 8 * j >= have)
#pragma unroll
                    for (int p = 0; p < 4; p++)
                        s[p][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = largest[p];
#pragma unroll
            for (int j = 0; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = over_columns_max(most);  // finite: a tile has at least one key
            const float shrink = ptx_exp2(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[p][h] *= shrink;
                const float *x = &s[p][h * 4];
                const float4 w = make_float4(ptx_exp2(x[0] - most), ptx_exp2(x[1] - most), ptx_exp2(x[2] - most), ptx_exp2(x[3] - most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_tile[(row0 + 4 * p) * Q_WIDE + tx + 8 * h] = w;
            }
        }
        __syncwarp();  // weights stay within the warp

        // Chunk c of the weights belongs to keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile[(row0 + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *b = &v_tile[(c % 8 + c / 8 * 32) * V_WIDE + tx + 8 * h];
                const float4 b0 = b[0], b1 = b[8 * V_WIDE], b2 = b[16 * V_WIDE], b3 = b[24 * V_WIDE];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    total[p][h].add(w[p].x, b0);
                    total[p][h].add(w[p].y, b1);
                    total[p][h].add(w[p].z, b2);
                    total[p][h].add(w[p].w, b3);
                }
            }
        }
        __syncthreads();  // the tiles may be overwritten
    }
};

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 memory[];

    const int lane = threadIdx.x % 32, first = blockIdx.y * ROWS;
    Softmax state;
    state.q_tile = memory;
    state.p_tile = state.q_tile + ROWS * Q_WIDE;
    state.k_tile = state.p_tile + ROWS * Q_WIDE;
    state.v_tile = state.k_tile + KEYS * K_WIDE;
    state.tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    state.row0 = threadIdx.x / 32 * 16 + (lane & 1) + (lane >> 1 & 2);
#pragma unroll
    for (int p = 0; p < 4; p++) {
        state.largest[p] = -INFINITY;
        state.sum[p] = 0;
        state.total[p][0] = state.total[p][1] = Vec{};
    }

    // exp(x / 8) is 2 to the power of x log2(e) / 8: the factor is in q already.
    Softmax::fill<ROWS, true>(state.q_tile, Q_WIDE, q + (size_t)first * 64, queries - first, 1.44269504f / 8);

    // What does not fill a tile stands at the end, and comes first.
    int at = keys / KEYS * KEYS;
    if (at < keys)
        state.step<true>(k + (size_t)at * 64, v + (size_t)at * 64, keys - at);
    while ((at -= KEYS) >= 0)
        state.step<false>(k + (size_t)at * 64, v + (size_t)at * 64, KEYS);

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1 / over_columns_sum(state.sum[p]);
        const int row = first + state.row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                state.total[p][h] *= part;
                ((float4 *)out)[(size_t)row * CHUNKS + state.tx + 8 * h] = state.total[p][h].v;
            }
    }
}
