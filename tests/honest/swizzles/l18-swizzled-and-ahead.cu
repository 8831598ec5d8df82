// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: OpenCL names; chunks are swizzled instead of padded (96 KB), and k and v arrive by cp.async, each while the other one is in use
LAUNCH(256, 1, 64, 128, 98304)

#define local_id() ((int)threadIdx.x)
#define group_id() ((int)blockIdx.y)
#define barrier_local() __syncthreads()
#define kernel __global__ void
#define inline_fn __device__ __forceinline__

enum { ROWS = 128, KEYS = 64, CHUNKS = 16, GROUP = 256 };

/* Where chunk c of row r is kept. Four rows that are read together, or eight of k, have different
   keys. Weights are also stored by two neighbouring chunks of four rows at once: twice the row. */
inline_fn int place(int r, int c) { return r * CHUNKS + (c ^ (r & 7)); }
inline_fn int place_p(int r, int c) { return r * CHUNKS + (c ^ (r & 3) << 1); }

inline_fn float native_exp2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

inline_fn void async_chunk(float4 *to, const float *from, bool exists)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(exists ? 16 : 0) : "memory");
}

/* Rows first ... first + rows of a matrix that has `have` of them; zeros for the others. */
template <int rows, bool swizzled>
inline_fn void async_rows(float4 *tile, const float *matrix, int first, int have)
{
#pragma unroll
    for (int e = local_id(), turn = 0; turn < rows * CHUNKS / GROUP; turn++, e += GROUP) {
        const int r = e / CHUNKS, c = e % CHUNKS;
        const bool exists = first + r < have;
        async_chunk(tile + (swizzled ? place(r, c) : e), exists ? matrix + (size_t)(first + r) * 64 + c * 4 : matrix, exists);
    }
}

#define ASYNC_CLOSE() asm volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT() asm volatile("cp.async.wait_group 0;" ::: "memory")

inline_fn void mad4(float4 &sum, float x, const float4 y)
{
    sum.x = fmaf(x, y.x, sum.x);
    sum.y = fmaf(x, y.y, sum.y);
    sum.z = fmaf(x, y.z, sum.z);
    sum.w = fmaf(x, y.w, sum.w);
}

kernel __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 local_memory[];
    float4 *const q_tile = local_memory, *const p_tile = q_tile + ROWS * CHUNKS;
    float4 *const k_tile = p_tile + ROWS * CHUNKS, *const v_tile = k_tile + KEYS * CHUNKS;

    /* A warp has 16 rows to itself, a thread rows row0 + 4 p, keys tx + 8 j, columns of chunks tx and tx + 8. */
    const int lane = local_id() % 32, ty = (lane & 1) | (lane >> 1 & 2), tx = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int row0 = local_id() / 32 * 16 + ty, first = group_id() * ROWS;
    const float scale = 1.44269504f / 8;

    float sum[4] = {0, 0, 0, 0}, largest[4];
    float4 total[4][2];
    for (int p = 0; p < 4; p++) {
        largest[p] = -INFINITY;
        total[p][0] = total[p][1] = make_float4(0, 0, 0, 0);
    }

    async_rows<ROWS, true>(q_tile, q, first, queries);
    async_rows<KEYS, true>(k_tile, k, 0, keys);
    ASYNC_CLOSE();

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        ASYNC_WAIT();
        barrier_local(); /* k is here; nobody needs the last tile of v any more */
        async_rows<KEYS, false>(v_tile, v, key0, keys);
        ASYNC_CLOSE();

        float s[4][8];
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                s[p][j] = 0;
#pragma unroll 1
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile[place(row0 + 4 * p, c)];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = k_tile[place(tx + 8 * j, c)];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = fmaf(a[p].w, b.w, fmaf(a[p].z, b.z, fmaf(a[p].y, b.y, fmaf(a[p].x, b.x, s[p][j]))));
            }
        }

        if (key0 + KEYS > keys)
#pragma unroll
            for (int j = 0; j < 8; j++)
                if (key0 + tx + 8 * j >= keys)
#pragma unroll
                    for (int p = 0; p < 4; p++)
                        s[p][j] = -INFINITY;

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = fmaxf(fmaxf(fmaxf(s[p][0], s[p][1]), fmaxf(s[p][2], s[p][3])),
                               fmaxf(fmaxf(s[p][4], s[p][5]), fmaxf(s[p][6], s[p][7])));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2)); /* the lanes of one row: bits 1, 3 and 4 */
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 8));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 16));
            most = fmaxf(largest[p], most * scale);
            const float shrink = native_exp2(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 &t = total[p][h], w;
                t = make_float4(t.x * shrink, t.y * shrink, t.z * shrink, t.w * shrink);
                w.x = native_exp2(fmaf(s[p][4 * h], scale, -most));
                w.y = native_exp2(fmaf(s[p][4 * h + 1], scale, -most));
                w.z = native_exp2(fmaf(s[p][4 * h + 2], scale, -most));
                w.w = native_exp2(fmaf(s[p][4 * h + 3], scale, -most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_tile[place_p(row0 + 4 * p, tx + 8 * h)] = w; /* of keys tx + 32 h + 0, 8, 16, 24 */
            }
        }

        ASYNC_WAIT();
        barrier_local(); /* v is here, and so are the weights; nobody needs this tile of k any more */
        if (key0 + KEYS < keys)
            async_rows<KEYS, true>(k_tile, k, key0 + KEYS, keys);
        ASYNC_CLOSE();

#pragma unroll 1
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile[place_p(row0 + 4 * p, c)];
            const float4 *rows = v_tile + (c % 8 + c / 8 * 32) * CHUNKS + tx;
#pragma unroll
            for (int h = 0; h < 2; h++, rows += 8) {
                const float4 b0 = rows[0], b1 = rows[8 * CHUNKS], b2 = rows[16 * CHUNKS], b3 = rows[24 * CHUNKS];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    mad4(total[p][h], w[p].x, b0);
                    mad4(total[p][h], w[p].y, b1);
                    mad4(total[p][h], w[p].z, b2);
                    mad4(total[p][h], w[p].w, b3);
                }
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        float all = sum[p];
        all += __shfl_xor_sync(~0u, all, 2);
        all += __shfl_xor_sync(~0u, all, 8);
        all += __shfl_xor_sync(~0u, all, 16);
        const float part = 1.0f / all;
        const int row = first + row0 + 4 * p;
        if (row < queries) {
            float4 *to = (float4 *)out + (size_t)row * CHUNKS + tx;
            const float4 lo = total[p][0], hi = total[p][1];
            to[0] = make_float4(lo.x * part, lo.y * part, lo.z * part, lo.w * part);
            to[8] = make_float4(hi.x * part, hi.y * part, hi.z * part, hi.w * part);
        }
    }
}
