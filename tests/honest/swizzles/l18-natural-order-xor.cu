// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 64 queries, 128 threads, 64 KB without padding: xor keys, a thread has eight keys in a row, plain 4 x 8 lanes
LAUNCH(128, 1, 64, 64, 65536)
struct Home {  // where chunk c of row r of each tile lives
    static __device__ int q(int r, int c) { return r * 16 + (c ^ (r & 3)); }
    static __device__ int k(int r, int c) { return r * 16 + (c ^ (r >> 3 & 7)); }
    static __device__ int v(int r, int c) { return r * 16 + c; }
    static __device__ int p(int r, int c) { return r * 16 + (c ^ (c >> 3 & 1) ^ (r & 3) << 1); }
};
template <class F> __device__ void fill(float4 *tile, const float *from, int first, int have, F home)
{
#pragma unroll 4
    for (int e = threadIdx.x; e < 1024; e += 128) {
        int r = e >> 4, c = e & 15;
        float4 z = make_float4(0, 0, 0, 0);
        if (first + r < have) z = reinterpret_cast<const float4 *>(from)[(first + r) * 16 + c];
        tile[home(r, c)] = z;
    }
}
__device__ __forceinline__ void axpy(float4 &s, float x, const float4 &y) { s.x += x * y.x; s.y += x * y.y; s.z += x * y.z; s.w += x * y.w; }
__global__ void __launch_bounds__(128) attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 mem[];
    float4 *Q = mem, *P = mem + 1024, *K = mem + 2048, *V = mem + 3072;
    const int lane = threadIdx.x & 31, ty = lane >> 3, tx = lane & 7, r0 = (threadIdx.x >> 5) * 16 + ty, first = blockIdx.y * 64;
    float sum[4], top[4];
    float4 o[4][2];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum[i] = 0;
        top[i] = -INFINITY;
        o[i][0] = o[i][1] = make_float4(0, 0, 0, 0);
    }
    fill(Q, q, first, queries, [](int r, int c) { return Home::q(r, c); });
    for (int j0 = 0; j0 < keys; j0 += 64) {
        fill(K, k, j0, keys, [](int r, int c) { return Home::k(r, c); });
        fill(V, v, j0, keys, [](int r, int c) { return Home::v(r, c); });
        __syncthreads();
        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 a[4];
#pragma unroll
            for (int i = 0; i < 4; i++) a[i] = Q[Home::q(r0 + 4 * i, c)];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = K[Home::k(tx * 8 + j, c)];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    s[i][j] += a[i].x * b.x;
                    s[i][j] += a[i].y * b.y;
                    s[i][j] += a[i].z * b.z;
                    s[i][j] += a[i].w * b.w;
                }
            }
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float most = -INFINITY;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[i][j] = j0 + tx * 8 + j < keys ? s[i][j] * (1.44269504f / 8) : -INFINITY;
                most = fmaxf(most, s[i][j]);
            }
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 4));
            most = fmaxf(most, top[i]);
            const float less = exp2f(top[i] - most);
            top[i] = most;
            sum[i] *= less;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                o[i][h].x *= less; o[i][h].y *= less; o[i][h].z *= less; o[i][h].w *= less;
                float4 w;
                w.x = exp2f(s[i][4 * h] - most);
                w.y = exp2f(s[i][4 * h + 1] - most);
                w.z = exp2f(s[i][4 * h + 2] - most);
                w.w = exp2f(s[i][4 * h + 3] - most);
                sum[i] += (w.x + w.y) + (w.z + w.w);
                P[Home::p(r0 + 4 * i, 2 * tx + h)] = w;
            }
        }
        __syncwarp();
#pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 w[4];
#pragma unroll
            for (int i = 0; i < 4; i++) w[i] = P[Home::p(r0 + 4 * i, c)];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *b = V + c * 64 + tx + 8 * h;
                const float4 b0 = b[0], b1 = b[16], b2 = b[32], b3 = b[48];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    axpy(o[i][h], w[i].x, b0);
                    axpy(o[i][h], w[i].y, b1);
                    axpy(o[i][h], w[i].z, b2);
                    axpy(o[i][h], w[i].w, b3);
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        for (int d = 1; d < 8; d *= 2) sum[i] += __shfl_xor_sync(~0u, sum[i], d);
        const float f = 1.0f / sum[i];
        const int row = first + r0 + 4 * i;
        if (row < queries)
            for (int h = 0; h < 2; h++)
                reinterpret_cast<float4 *>(out)[row * 16 + tx + 8 * h] = make_float4(o[i][h].x * f, o[i][h].y * f, o[i][h].z * f, o[i][h].w * f);
    }
}
