// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: q, k and the weights lie turned in shared memory (columns first), so both products are textbook outer products of 4 rows by 8: right, turned while filling 16 rows by 2 chunks a warp, without conflicts and by whole sectors
LAUNCH(256, 1, 64, 128, 101376)

constexpr int ROWS = 128, KEYS = 64, COLUMNS = 64;
constexpr int Q_PITCH = ROWS + 4, K_PITCH = KEYS + 4;  // multiples of 4, for float4; 4 pitches are 16 banks

// Rows [first, first + rows) of `from`, which has `have`: tile[column][row], zeros for the others.
template <int rows, int pitch>
__device__ void fill_turned(float *tile, const float *from, int first, int have)
{
    for (int e = threadIdx.x; e < rows * COLUMNS / 4; e += 256) {
        int row = e / 256 * 16 + e % 16, chunk = e % 256 / 16;  // a warp: 16 rows, 2 chunks that share a sector
        float4 x = make_float4(0, 0, 0, 0);
        if (first + row < have)
            x = ((const float4 *)from)[(first + row) * (COLUMNS / 4) + chunk];
        float *to = tile + chunk * 4 * pitch + row;
        to[0] = x.x;
        to[pitch] = x.y;
        to[2 * pitch] = x.z;
        to[3 * pitch] = x.w;
    }
}

__device__ void fill_straight(float4 *tile, const float *from, int first, int have)
{
    for (int e = threadIdx.x; e < KEYS * COLUMNS / 4; e += 256)
        tile[e] = first + e / (COLUMNS / 4) < have ? ((const float4 *)from)[first * (COLUMNS / 4) + e] : make_float4(0, 0, 0, 0);
}

// out[p][j] += left[p] * right[j]
__device__ __forceinline__ void outer(float (&out)[4][8], float4 left, float4 right0, float4 right1)
{
    const float a[4] = {left.x, left.y, left.z, left.w};
    const float b[8] = {right0.x, right0.y, right0.z, right0.w, right1.x, right1.y, right1.z, right1.w};
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            out[p][j] = fmaf(a[p], b[j], out[p][j]);
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    float *q_tile = (float *)tiles, *p_tile = q_tile + COLUMNS * Q_PITCH, *k_tile = p_tile + KEYS * Q_PITCH;
    float4 *v_tile = (float4 *)(k_tile + COLUMNS * K_PITCH);

    // A warp has 16 rows. A thread has rows row0 to row0 + 3, keys (and columns) 4 tx to 4 tx + 3 and the same 32 further.
    int lane = threadIdx.x % 32, ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = threadIdx.x / 32 * 16 + ty * 4, first = blockIdx.y * ROWS;

    float sum[4] = {}, largest[4], total[4][8] = {};
    for (int p = 0; p < 4; p++)
        largest[p] = -INFINITY;

    fill_turned<ROWS, Q_PITCH>(q_tile, q, first, queries);
    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        fill_turned<KEYS, K_PITCH>(k_tile, k, key0, keys);
        fill_straight(v_tile, v, key0, keys);
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 8
        for (int d = 0; d < COLUMNS; d++) {
            const float4 *right = (const float4 *)(k_tile + d * K_PITCH);
            outer(s, *(const float4 *)(q_tile + d * Q_PITCH + row0), right[tx], right[tx + 8]);
        }

        if (key0 + KEYS > keys)
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int p = 0; p < 4; p++)
                    if (key0 + j / 4 * 32 + tx * 4 + j % 4 >= keys)
                        s[p][j] = -INFINITY;

        constexpr float SCALE = 1.44269504f / 8;
#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));  // lanes with the same ty
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 8));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 16));
            most = fmaxf(largest[p], most * SCALE);
            float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                total[p][j] *= shrink;
                s[p][j] = exp2f(s[p][j] * SCALE - most);
                sum[p] += s[p][j];
            }
        }
#pragma unroll
        for (int j = 0; j < 8; j++)
            *(float4 *)(p_tile + (j / 4 * 32 + tx * 4 + j % 4) * Q_PITCH + row0) = make_float4(s[0][j], s[1][j], s[2][j], s[3][j]);
        __syncwarp();  // a warp has the weights of its own rows alone

#pragma unroll 8
        for (int key = 0; key < KEYS; key++) {
            const float4 *right = v_tile + key * (COLUMNS / 4);
            outer(total, *(const float4 *)(p_tile + key * Q_PITCH + row0), right[tx], right[tx + 8]);
        }
        __syncthreads();  // before the next tiles come
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        sum[p] += __shfl_xor_sync(~0u, sum[p], 2);
        sum[p] += __shfl_xor_sync(~0u, sum[p], 8);
        sum[p] += __shfl_xor_sync(~0u, sum[p], 16);
        float part = 1 / sum[p];
        int row = first + row0 + p;
        if (row < queries) {
            float4 *to = (float4 *)out + row * (COLUMNS / 4);
            to[tx] = make_float4(total[p][0] * part, total[p][1] * part, total[p][2] * part, total[p][3] * part);
            to[tx + 8] = make_float4(total[p][4] * part, total[p][5] * part, total[p][6] * part, total[p][7] * part);
        }
    }
}
