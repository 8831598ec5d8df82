// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 8 x 32 threads, four columns each, chunks of a moved by the row's low bits
LAUNCH(8, 32, 32, 32)
static __device__ float4 grab(const float *p, int have, bool vec)
{
    float4 v = make_float4(0, 0, 0, 0);
    if (vec) { if (have > 0) v = *reinterpret_cast<const float4 *>(p); return v; }
    if (have > 0) v.x = p[0];
    if (have > 1) v.y = p[1];
    if (have > 2) v.z = p[2];
    if (have > 3) v.w = p[3];
    return v;
}
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 as[32][8], bs[32][8];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x * 4;
    float4 s = make_float4(0, 0, 0, 0);
    for (int k0 = 0; k0 < k; k0 += 32) {
        as[y][x ^ (y & 7)] = grab(a + row * k + k0 + x * 4, row < m ? k - k0 - x * 4 : 0, (k & 3) == 0);
        bs[y][x] = grab(b + (k0 + y) * n + col, k0 + y < k ? n - col : 0, (n & 3) == 0);
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 8; ++q) {
            float4 p = as[y][q ^ (y & 7)];
            float e[4] = {p.x, p.y, p.z, p.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float4 w = bs[4 * q + i][x];
                s.x = fmaf(e[i], w.x, s.x);
                s.y = fmaf(e[i], w.y, s.y);
                s.z = fmaf(e[i], w.z, s.z);
                s.w = fmaf(e[i], w.w, s.w);
            }
        }
        __syncthreads();
    }
    if (row >= m) return;
    float *o = c + row * n + col;
    if ((n & 3) == 0) { if (col < n) *reinterpret_cast<float4 *>(o) = s; return; }
    if (col < n) o[0] = s.x;
    if (col + 1 < n) o[1] = s.y;
    if (col + 2 < n) o[2] = s.z;
    if (col + 3 < n) o[3] = s.w;
}
