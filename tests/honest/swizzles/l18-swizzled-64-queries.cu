// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 64 queries and 128 threads a block, four unpadded tiles (64 KB) whose chunks are XORed by the row rotated by one bit; functors for tiles
LAUNCH(128, 1, 64, 64, 65536)

constexpr int SIDE = 64, CHUNKS = 16, THREADS = 128;
constexpr float SCALE = 1.44269504f / 8;  // exp(x / 8) is 2 to the power of x * SCALE

// Three bits of the row, rotated: rows 0 ... 3 are two chunks apart, rows 0 ... 7 one.
__device__ __forceinline__ constexpr int key(int r)
{
    return (r & 3) << 1 | (r >> 2 & 1);
}

template <bool SWIZZLED>
__device__ __forceinline__ void fill(float4 *tile, const float *from, int first, int have)
{
#pragma unroll 4
    for (int e = threadIdx.x; e < SIDE * CHUNKS; e += THREADS) {
        const int r = e / CHUNKS, q = e % CHUNKS;
        float4 v = make_float4(0, 0, 0, 0);
        if (first + r < have)
            v = __ldg(reinterpret_cast<const float4 *>(from) + (size_t)(first + r) * CHUNKS + q);
        tile[r * CHUNKS + (SWIZZLED ? q ^ key(r) : q)] = v;
    }
}

__device__ __forceinline__ void axpy(float4 &sum, float x, const float4 &y)
{
    sum.x = fmaf(x, y.x, sum.x);
    sum.y = fmaf(x, y.y, sum.y);
    sum.z = fmaf(x, y.z, sum.z);
    sum.w = fmaf(x, y.w, sum.w);
}

template <class F>
__device__ __forceinline__ float over_row(float x, F f)  // lanes that share ty: bits 1, 3 and 4
{
    x = f(x, __shfl_xor_sync(~0u, x, 2));
    x = f(x, __shfl_xor_sync(~0u, x, 8));
    return f(x, __shfl_xor_sync(~0u, x, 16));
}

__global__ void __launch_bounds__(THREADS, 3)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    float4 *q_tile = tiles, *k_tile = tiles + 1024, *v_tile = tiles + 2048, *p_tile = tiles + 3072;

    const int lane = threadIdx.x % 32;
    const int ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = threadIdx.x / 32 * 16 + ty, first = blockIdx.y * SIDE;
    const float4 *q_mine = q_tile + row0 * CHUNKS, *k_mine = k_tile + tx * CHUNKS;
    float4 *p_mine = p_tile + row0 * CHUNKS;
    const int even = ty << 1, odd = even | 1;  // keys of rows row0 + 4 p
    const int k_key = key(tx);                 // and of rows tx + 8 j

    float sum[4] = {}, largest[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float4 total[4][2] = {};

    fill<true>(q_tile, q, first, queries);

    for (int key0 = 0; key0 < keys; key0 += SIDE) {
        fill<true>(k_tile, k, key0, keys);
        fill<false>(v_tile, v, key0, keys);
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_mine[4 * p * CHUNKS + (c ^ (p % 2 ? odd : even))];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = k_mine[8 * j * CHUNKS + (c ^ k_key)];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    s[p][j] = fmaf(a[p].x, b.x, s[p][j]);
                    s[p][j] = fmaf(a[p].y, b.y, s[p][j]);
                    s[p][j] = fmaf(a[p].z, b.z, s[p][j]);
                    s[p][j] = fmaf(a[p].w, b.w, s[p][j]);
                }
            }
        }

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = -INFINITY;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[p][j] = key0 + tx + 8 * j < keys ? s[p][j] * SCALE : -INFINITY;
                most = fmaxf(most, s[p][j]);
            }
            most = fmaxf(largest[p], over_row(most, [](float x, float y) { return fmaxf(x, y); }));
            const float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[p][h].x *= shrink;
                total[p][h].y *= shrink;
                total[p][h].z *= shrink;
                total[p][h].w *= shrink;
                const float4 w = make_float4(exp2f(s[p][4 * h] - most), exp2f(s[p][4 * h + 1] - most),
                                             exp2f(s[p][4 * h + 2] - most), exp2f(s[p][4 * h + 3] - most));
                sum[p] += (w.x + w.y) + (w.z + w.w);
                p_mine[4 * p * CHUNKS + ((tx + 8 * h) ^ (p % 2 ? odd : even))] = w;
            }
        }
        __syncwarp();  // the weights of a warp's rows are the warp's

        // Chunk c of the weights: keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_mine[4 * p * CHUNKS + (c ^ (p % 2 ? odd : even))];
            const float4 *b = v_tile + (c % 8 + c / 8 * 32) * CHUNKS + tx;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 b0 = b[8 * h], b1 = b[8 * CHUNKS + 8 * h], b2 = b[16 * CHUNKS + 8 * h], b3 = b[24 * CHUNKS + 8 * h];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    axpy(total[p][h], w[p].x, b0);
                    axpy(total[p][h], w[p].y, b1);
                    axpy(total[p][h], w[p].z, b2);
                    axpy(total[p][h], w[p].w, b3);
                }
            }
        }
        __syncthreads();  // before the next tiles come
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1.0f / over_row(sum[p], [](float x, float y) { return x + y; });
        const int row = first + row0 + 4 * p;
        if (row < queries)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 t = total[p][h];
                reinterpret_cast<float4 *>(out)[(size_t)row * CHUNKS + tx + 8 * h] =
                    make_float4(t.x * part, t.y * part, t.z * part, t.w * part);
            }
    }
}
