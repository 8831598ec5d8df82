// lesson 18; device sim; nvcc,clang; want: fail, gate hazards; tries: the tile of q is stored by threads, and before it is read there is only the mbarrier at which the copies of k and v arrive (noinc): that releases no store of q
// 18 attention: 128 queries a block, k and v in tiles of 64 keys, one pass.
LAUNCH(256, 1, 64, 128, 107520)  // 105 KB: 36 for queries, 36 for weights, 17 for keys, 16 for values

// A row of 64 floats is 16 chunks of four. Rows of q and of the weights are used 4 at a time, so
// 2 chunks of padding keep them apart; rows of k 8 at a time, so 1 chunk; rows of v one by one.
constexpr int ROWS = 128, KEYS = 64, CHUNKS = 16, Q_WIDE = 18, K_WIDE = 17, V_WIDE = 16;

// Rows [first, first + rows) of `from`, which has `have`; zeros for the others.
__device__ void fill(float4 *tile, int wide, const float *from, int first, int rows, int have)
{
    for (int e = threadIdx.x; e < rows * CHUNKS; e += blockDim.x) {
        int row = e / CHUNKS, chunk = e % CHUNKS;
        float4 zero = {};
        tile[row * wide + chunk] = first + row < have ? ((const float4 *)from)[(first + row) * CHUNKS + chunk] : zero;
    }
}

// The same by copies.
__device__ void bring(float4 *tile, int wide, const float *from, int first, int rows, int have)
{
    for (int e = threadIdx.x; e < rows * CHUNKS; e += blockDim.x) {
        int row = e / CHUNKS, chunk = e % CHUNKS;
        bool there = first + row < have;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"((unsigned)__cvta_generic_to_shared(&tile[row * wide + chunk])),
                     "l"(__cvta_generic_to_global((const float4 *)from + (there ? (first + row) * CHUNKS + chunk : 0))), "r"(there ? 16 : 0) : "memory");
    }
}

__device__ void add(float4 &sum, float x, float4 y)
{
    sum.x += x * y.x;
    sum.y += x * y.y;
    sum.z += x * y.z;
    sum.w += x * y.w;
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    __shared__ unsigned long long barrier;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" :: "r"(bar) : "memory");
    __syncthreads();
    float4 *q_tile = tiles, *p_tile = q_tile + ROWS * Q_WIDE, *k_tile = p_tile + ROWS * Q_WIDE;
    float4 *v_tile = k_tile + KEYS * K_WIDE;

    // A warp has 16 rows for itself. A thread has rows ty + 4 p of them, the keys tx + 8 j, and
    // chunks tx and tx + 8 of the columns. As in lesson 9, bits 0 and 2 of the lane are ty, bits
    // 1, 3 and 4 are tx: then a load of 16 bytes takes 2 wavefronts instead of 4.
    int lane = threadIdx.x % 32, ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    int row0 = threadIdx.x / 32 * 16 + ty, first = blockIdx.y * ROWS;

    float sum[4] = {}, largest[4];  // of each row so far; sum is of this thread's keys alone
    float4 total[4][2] = {};
    for (int p = 0; p < 4; p++)
        largest[p] = -INFINITY;

    fill(q_tile, Q_WIDE, q, first, ROWS, queries);

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        bring(k_tile, K_WIDE, k, key0, KEYS, keys);
        bring(v_tile, V_WIDE, v, key0, KEYS, keys);
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(bar) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(bar), "r"(key0 / KEYS & 1) : "memory");



        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile[(row0 + 4 * p) * Q_WIDE + c];  // @q
#pragma unroll
            for (int j = 0; j < 8; j++) {
                float4 b = k_tile[(tx + 8 * j) * K_WIDE + c];  // @k
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
                for (int p = 0; p < 4 && key0 + tx + 8 * j >= keys; p++)
                    s[p][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            for (int bit = 2; bit < 32; bit = bit == 2 ? 8 : bit * 2)  // lanes with the same ty
                most = fmaxf(most, __shfl_xor_sync(~0u, most, bit));

            // exp(x / 8) is 2 to the power of x * log2(e) / 8. What was added up so far was relative
            // to the old largest score.
            constexpr float SCALE = 1.44269504f / 8;
            most = fmaxf(largest[p], most * SCALE);
            float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 old = total[p][h];
                total[p][h] = make_float4(old.x * shrink, old.y * shrink, old.z * shrink, old.w * shrink);
                const float *x = &s[p][h * 4];
                float4 w = make_float4(exp2f(x[0] * SCALE - most), exp2f(x[1] * SCALE - most),
                                       exp2f(x[2] * SCALE - most), exp2f(x[3] * SCALE - most));
                sum[p] += w.x + w.y + w.z + w.w;
                p_tile[(row0 + 4 * p) * Q_WIDE + tx + 8 * h] = w;  // @store
            }
        }
        __syncwarp();  // a warp reads the weights of its own rows alone

        // Chunk c of a row of weights belongs to the keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile[(row0 + 4 * p) * Q_WIDE + c];  // @p
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *b = &v_tile[(c % 8 + c / 8 * 32) * V_WIDE + tx + 8 * h];
                float4 b0 = b[0], b1 = b[8 * V_WIDE], b2 = b[16 * V_WIDE], b3 = b[24 * V_WIDE];  // @v
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    add(total[p][h], w[p].x, b0);
                    add(total[p][h], w[p].y, b1);
                    add(total[p][h], w[p].z, b2);
                    add(total[p][h], w[p].w, b3);
                }
            }
        }
        __syncthreads();  // before the next tiles overwrite these
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        for (int bit = 2; bit < 32; bit = bit == 2 ? 8 : bit * 2)
            sum[p] += __shfl_xor_sync(~0u, sum[p], bit);
        float part = 1 / sum[p];
        int row = first + row0 + 4 * p;
        for (int h = 0; h < 2 && row < queries; h++) {
            float4 t = total[p][h];
            ((float4 *)out)[row * CHUNKS + tx + 8 * h] =
                make_float4(t.x * part, t.y * part, t.z * part, t.w * part);
        }
    }
}
