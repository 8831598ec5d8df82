// lesson 18; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: where 320 keys suffice all scores are kept and the softmax is made over them at once, in two passes; more keys go the starter's way, three readings of k for each query
LAUNCH(256, 1, 64, 64, 138240)

constexpr int MOST = 320, CHUNKS = 16, WIDE = 17, LONG = MOST + 4;  // floats of a row of scores

__device__ void fill(float4 *tile, const float *from, int first, int rows, int have)
{
    for (int e = threadIdx.x; e < rows * CHUNKS; e += blockDim.x) {
        int row = e / CHUNKS, chunk = e % CHUNKS;
        float4 zero = {};
        tile[row * WIDE + chunk] = first + row < have ? ((const float4 *)from)[(first + row) * CHUNKS + chunk] : zero;
    }
}

__device__ float score(float2 mine, const float *from)
{
    float2 other = ((const float2 *)from)[threadIdx.x % 32];
    float sum = mine.x * other.x + mine.y * other.y;
    for (int bit = 16; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(~0u, sum, bit);
    return sum / 8;
}

__device__ __noinline__ void slow(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    int lane = threadIdx.x % 32;
    for (int row = blockIdx.y * 64 + threadIdx.x / 32; row < min(queries, (int)blockIdx.y * 64 + 64); row += 8) {
        float2 mine = ((const float2 *)q)[row * 32 + lane];
        float largest = -INFINITY, sum = 0;
        for (int j = 0; j < keys; j++)
            largest = fmaxf(largest, score(mine, k + j * 64));
        for (int j = 0; j < keys; j++)
            sum += expf(score(mine, k + j * 64) - largest);
        float2 total = {};
        for (int j = 0; j < keys; j++) {
            float weight = expf(score(mine, k + j * 64) - largest) / sum;
            float2 value = ((const float2 *)v)[j * 32 + lane];
            total.x += weight * value.x;
            total.y += weight * value.y;
        }
        ((float2 *)out)[row * 32 + lane] = total;
    }
}

__global__ void __launch_bounds__(256, 1)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    if (keys > MOST) {
        slow(out, q, k, v, queries, keys);
        return;
    }
    float4 *q_tile = tiles, *k_tile = q_tile + 64 * WIDE, *v_tile = k_tile + 64 * WIDE;
    float *scores = (float *)(v_tile + 64 * WIDE);  // 64 rows of 324
    int first = blockIdx.y * 64, t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    int ty = lane / 16 + warp * 2, tx = lane % 16;  // rows ty + 16 p, keys or chunks tx

    fill(q_tile, q, first, 64, queries);
    for (int key0 = 0; key0 < keys; key0 += 64) {
        fill(k_tile, k, key0, 64, keys);
        __syncthreads();
        float s[4][4] = {};
#pragma unroll 2
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = q_tile[(ty + 16 * p) * WIDE + c];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float4 b = k_tile[(tx + 16 * j) * WIDE + c];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] += a[p].x * b.x + a[p].y * b.y + a[p].z * b.z + a[p].w * b.w;
            }
        }
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                scores[(ty + 16 * p) * LONG + key0 + tx + 16 * j] = key0 + tx + 16 * j < keys ? s[p][j] * (1.44269504f / 8) : -INFINITY;
        __syncthreads();
    }

    // A whole row at once: its largest score, then its weights.
    int padded = (keys + 63) / 64 * 64;
    float sums[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *row = scores + (warp + 8 * i) * LONG, most = -INFINITY, sum = 0;
        for (int j = lane; j < padded; j += 32)
            most = fmaxf(most, row[j]);
        for (int bit = 16; bit > 0; bit /= 2)
            most = fmaxf(most, __shfl_xor_sync(~0u, most, bit));
        for (int j = lane; j < padded; j += 32) {
            float w = exp2f(row[j] - most);
            row[j] = w;
            sum += w;
        }
        for (int bit = 16; bit > 0; bit /= 2)
            sum += __shfl_xor_sync(~0u, sum, bit);
        sums[i] = sum;
    }
    float *shared_sums = (float *)k_tile;
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (lane == 0)
            shared_sums[warp + 8 * i] = sums[i];

    float4 total[4] = {};
    for (int key0 = 0; key0 < keys; key0 += 64) {
        fill(v_tile, v, key0, 64, keys);
        __syncthreads();
#pragma unroll 2
        for (int j = 0; j < 64; j += 4) {
            float4 b[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                b[i] = v_tile[(j + i) * WIDE + tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                float4 w = *(const float4 *)&scores[(ty + 16 * p) * LONG + key0 + j];
                total[p].x += w.x * b[0].x + w.y * b[1].x + w.z * b[2].x + w.w * b[3].x;
                total[p].y += w.x * b[0].y + w.y * b[1].y + w.z * b[2].y + w.w * b[3].y;
                total[p].z += w.x * b[0].z + w.y * b[1].z + w.z * b[2].z + w.w * b[3].z;
                total[p].w += w.x * b[0].w + w.y * b[1].w + w.z * b[2].w + w.w * b[3].w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++) {
        int row = first + ty + 16 * p;
        float part = 1 / shared_sums[ty + 16 * p];
        if (row < queries)
            ((float4 *)out)[row * CHUNKS + tx] = make_float4(total[p].x * part, total[p].y * part, total[p].z * part, total[p].w * part);
    }
}
