// lesson 18; device sim,gpu; nvcc,clang; want: pass; tries: 64 queries a block, a warp for eight rows, weights by shuffles through their own tile

LAUNCH(256, 1, 64, 64, 66560)
// q, k (pitch 68), v, w tiles of 64 x 64
enum { P = 68 };
__global__ void __launch_bounds__(256) attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 raw[];
    float *qs = (float *)raw, *ks = qs + 64 * 64, *vs = ks + 64 * P, *ws = vs + 64 * 64;
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row0 = blockIdx.y * 64;
    for (int e = t; e < 1024; e += 256) {
        int r = e / 16;
        ((float4 *)qs)[e] = row0 + r < queries ? ((const float4 *)q)[(row0 + r) * 16 + e % 16] : make_float4(0, 0, 0, 0);
    }
    float top[8], sum[8], acc[8][2];
    for (int i = 0; i < 8; i++) top[i] = -INFINITY, sum[i] = 0, acc[i][0] = acc[i][1] = 0;
    for (int j0 = 0; j0 < keys; j0 += 64) {
        __syncthreads();
        for (int e = t; e < 1024; e += 256) {
            int r = e / 16, h = e % 16;
            bool is = j0 + r < keys;
            float4 z = make_float4(0, 0, 0, 0);
            *(float4 *)(ks + r * P + h * 4) = is ? ((const float4 *)k)[(j0 + r) * 16 + h] : z;
            ((float4 *)vs)[e] = is ? ((const float4 *)v)[(j0 + r) * 16 + h] : z;
        }
        __syncthreads();
        float s[8][2] = {};
#pragma unroll 4
        for (int h = 0; h < 16; h++) {
            float4 x = *(float4 *)(ks + lane * P + h * 4), y = *(float4 *)(ks + (lane + 32) * P + h * 4);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                float4 z = *(float4 *)(qs + (warp * 8 + i) * 64 + h * 4);
                s[i][0] += x.x * z.x + x.y * z.y + x.z * z.z + x.w * z.w;
                s[i][1] += y.x * z.x + y.y * z.y + y.z * z.z + y.w * z.w;
            }
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float a = j0 + lane < keys ? s[i][0] / 8 : -INFINITY, b = j0 + lane + 32 < keys ? s[i][1] / 8 : -INFINITY;
            float big = fmaxf(a, b);
            for (int d = 16; d; d /= 2) big = fmaxf(big, __shfl_xor_sync(~0u, big, d));
            big = fmaxf(big, top[i]);
            float shrink = expf(top[i] - big);
            top[i] = big;
            a = expf(a - big), b = expf(b - big);
            float both = a + b;
            for (int d = 16; d; d /= 2) both += __shfl_xor_sync(~0u, both, d);
            sum[i] = sum[i] * shrink + both;
            acc[i][0] *= shrink, acc[i][1] *= shrink;
            ws[(warp * 8 + i) * 64 + lane] = a;
            ws[(warp * 8 + i) * 64 + lane + 32] = b;
        }
        __syncwarp();
#pragma unroll 2
        for (int j = 0; j < 64; j += 4) {
            float2 y[4];
            for (int u = 0; u < 4; u++) y[u] = ((const float2 *)vs)[(j + u) * 32 + lane];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                float4 w = *(const float4 *)(ws + (warp * 8 + i) * 64 + j);
                acc[i][0] += w.x * y[0].x + w.y * y[1].x + w.z * y[2].x + w.w * y[3].x;
                acc[i][1] += w.x * y[0].y + w.y * y[1].y + w.z * y[2].y + w.w * y[3].y;
            }
        }
        __syncwarp();
    }
    for (int i = 0; i < 8; i++)
        if (row0 + warp * 8 + i < queries)
            ((float2 *)out)[(row0 + warp * 8 + i) * 32 + lane] = make_float2(acc[i][0] / sum[i], acc[i][1] / sum[i]);
}
