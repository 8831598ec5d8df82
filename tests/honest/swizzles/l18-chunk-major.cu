// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: tiles of q, k and weights lie chunk by chunk, not row by row: neighbours are rows, nothing is padded but one
LAUNCH(256, 1, 64, 128, 99328)

// A chunk is four floats of a row; a row has 16. Chunk c of row r is number c * STRIDE + r of its tile.
// Lanes that go down the rows so read neighbours, without padding. The weights are also written, eight
// lanes to four rows and two chunks: four more keep these apart.
template <int STRIDE>
struct ChunkMajor {
    float4 *base;
    __device__ __forceinline__ float4 &operator()(int row, int chunk) const { return base[chunk * STRIDE + row]; }
};

constexpr int ROWS = 128, KEYS = 64;

// Eight lanes fill one chunk of eight rows. Four such groups of a warp take 64 bytes of each row.
template <int STRIDE>
__device__ void fill(ChunkMajor<STRIDE> tile, const float *from, int first, int rows, int have)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int e = warp; e < rows / 2; e += 8) {  // a warp's share: eight rows, four chunks
        int row = e / 4 * 8 + lane % 8, chunk = e % 4 * 4 + lane / 8;
        float4 zero = {};
        tile(row, chunk) = first + row < have ? ((const float4 *)from)[(first + row) * 16 + chunk] : zero;
    }
}

__device__ __forceinline__ void add(float4 &sum, float x, float4 y)
{
    sum.x += x * y.x;
    sum.y += x * y.y;
    sum.z += x * y.z;
    sum.w += x * y.w;
}

__device__ __forceinline__ void scale(float4 &v, float by)
{
    v = make_float4(v.x * by, v.y * by, v.z * by, v.w * by);
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 memory[];
    ChunkMajor<ROWS> q_tile{memory};
    ChunkMajor<ROWS + 4> p_tile{q_tile.base + 16 * ROWS};
    ChunkMajor<KEYS> k_tile{p_tile.base + 16 * (ROWS + 4)};
    float4 *v_tile = k_tile.base + 16 * KEYS;  // row by row

    int lane = threadIdx.x % 32, ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = threadIdx.x / 32 * 16 + ty, first = blockIdx.y * ROWS;

    float sum[4] = {}, largest[4];
    float4 total[4][2] = {};
#pragma unroll
    for (int p = 0; p < 4; p++)
        largest[p] = -INFINITY;

    fill(q_tile, q, first, ROWS, queries);

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        fill(k_tile, k, key0, KEYS, keys);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = threadIdx.x + j * 256;
            float4 zero = {};
            v_tile[e] = key0 + e / 16 < keys ? ((const float4 *)v)[key0 * 16 + e] : zero;
        }
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile(row0 + 4 * p, c);
#pragma unroll
            for (int j = 0; j < 8; j++) {
                float4 b = k_tile(tx + 8 * j, c);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    s[p][j] += a[p].x * b.x;
                    s[p][j] += a[p].y * b.y;
                    s[p][j] += a[p].z * b.z;
                    s[p][j] += a[p].w * b.w;
                }
            }
        }

        if (key0 + KEYS > keys)
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = key0 + tx + 8 * j < keys ? s[p][j] : -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));  // lanes with the same ty
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 8));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 16));

            constexpr float SCALE = 1.44269504f / 8;
            most = fmaxf(largest[p], most * SCALE);
            float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                scale(total[p][h], shrink);
                const float *x = &s[p][h * 4];
                float4 w = make_float4(exp2f(x[0] * SCALE - most), exp2f(x[1] * SCALE - most),
                                       exp2f(x[2] * SCALE - most), exp2f(x[3] * SCALE - most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_tile(row0 + 4 * p, tx + 8 * h) = w;
            }
        }
        __syncwarp();

        // Chunk c of a row of weights belongs to the keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile(row0 + 4 * p, c);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *b = v_tile + (c % 8 + c / 8 * 32) * 16 + tx + 8 * h;
                float4 b0 = b[0], b1 = b[8 * 16], b2 = b[16 * 16], b3 = b[24 * 16];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    add(total[p][h], w[p].x, b0);
                    add(total[p][h], w[p].y, b1);
                    add(total[p][h], w[p].z, b2);
                    add(total[p][h], w[p].w, b3);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        float all = sum[p];
        all += __shfl_xor_sync(~0u, all, 2);
        all += __shfl_xor_sync(~0u, all, 8);
        all += __shfl_xor_sync(~0u, all, 16);
        int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                scale(total[p][h], 1 / all);
                ((float4 *)out)[row * 16 + tx + 8 * h] = total[p][h];
            }
    }
}
