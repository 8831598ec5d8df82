// lesson 18; device sim; nvcc,clang; want: full; tries: a struct of tiles, padded rows, two blocks an SM
constexpr int D = 64, Q = 64, K = 64, LD = D + 4;
constexpr int BYTES = (2 * Q * LD + K * LD + K * D) * 4;
LAUNCH(256, 1, 64, 64, BYTES, BYTES)
struct Memory { float q[Q][LD], p[Q][LD], k[K][LD], v[K][D]; };
template <int W> __device__ void load(float (*to)[W], const float *from, int first, int have)
{
    for (int e = threadIdx.x; e < 64 * 16; e += 256) {
        int r = e >> 4, c = (e & 15) * 4;
        *reinterpret_cast<float4 *>(&to[r][c]) = first + r < have ? __ldg(reinterpret_cast<const float4 *>(from + (first + r) * D + c)) : float4{};
    }
}
__global__ void __launch_bounds__(256, 2) attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 raw[];
    Memory &s = *reinterpret_cast<Memory *>(raw);
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, q0 = blockIdx.y * Q;
    float top[4], sum[4], o[4][4] = {};
    for (int p = 0; p < 4; p++) top[p] = -1e30f, sum[p] = 0;
    load<LD>(s.q, q, q0, queries);
    for (int k0 = 0; k0 < keys; k0 += K) {
        if (k0) __syncthreads();
        load<LD>(s.k, k, k0, keys);
        load<D>(s.v, v, k0, keys);
        __syncthreads();
        float x[4][4] = {};
#pragma unroll 4
        for (int d = 0; d < D; d += 4) {
            float4 a[4], b[4];
#pragma unroll
            for (int p = 0; p < 4; p++) a[p] = *reinterpret_cast<const float4 *>(&s.q[ty * 4 + p][d]);
#pragma unroll
            for (int j = 0; j < 4; j++) b[j] = *reinterpret_cast<const float4 *>(&s.k[tx + 16 * j][d]);
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    x[p][j] += a[p].x * b[j].x + a[p].y * b[j].y + a[p].z * b[j].z + a[p].w * b[j].w;
        }
#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = top[p];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[p][j] = k0 + tx + 16 * j < keys ? x[p][j] * 0.125f : -INFINITY;
                most = fmaxf(most, x[p][j]);
            }
#pragma unroll
            for (int d = 8; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d, 16));
            const float shrink = __expf(top[p] - most);
            top[p] = most;
            float part = 0;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float w = __expf(x[p][j] - most);
                part += w;
                s.p[ty * 4 + p][tx + 16 * j] = w;
                o[p][j] *= shrink;
            }
#pragma unroll
            for (int d = 8; d; d >>= 1) part += __shfl_xor_sync(0xffffffff, part, d, 16);
            sum[p] = sum[p] * shrink + part;
        }
        __syncwarp();
#pragma unroll 4
        for (int j = 0; j < K; j += 4) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++) w[p] = *reinterpret_cast<const float4 *>(&s.p[ty * 4 + p][j]);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 y = *reinterpret_cast<const float4 *>(&s.v[j + i][tx * 4]);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float u = i == 0 ? w[p].x : i == 1 ? w[p].y : i == 2 ? w[p].z : w[p].w;
                    o[p][0] += u * y.x; o[p][1] += u * y.y; o[p][2] += u * y.z; o[p][3] += u * y.w;
                }
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
        if (const int r = q0 + ty * 4 + p; r < queries)
            *reinterpret_cast<float4 *>(out + r * D + tx * 4) = make_float4(o[p][0] / sum[p], o[p][1] / sum[p], o[p][2] / sum[p], o[p][3] / sum[p]);
}
