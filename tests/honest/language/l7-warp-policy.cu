// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: policy template with warp tiles of 32 x 32, lanes 4 x 8, a turned by whole-warp columns
template <int BM_, int BN_, int BK_, int WM_, int WN_> struct Policy {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, WM = WM_, WN = WN_;
    static constexpr int warps = BM / WM * (BN / WN), threads = warps * 32;
    static constexpr int TM = WM / 4, TN = WN / 8;
    static_assert(TM == 8 && TN == 4, "lanes are 4 x 8");
};
using P = Policy<64, 128, 16, 32, 32>;
LAUNCH(P::threads, 1, P::BN, P::BM)
__global__ __launch_bounds__(P::threads) void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    struct Smem { float a[P::BK][P::BM], b[P::BK][P::BN]; };
    __shared__ __align__(16) Smem s;
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const int wr = warp / (P::BN / P::WN) * P::WM, wc = warp % (P::BN / P::WN) * P::WN;
    const int lr = lane >> 3, lc = lane & 7;
    const int r0 = blockIdx.y * P::BM, c0 = blockIdx.x * P::BN;
    float acc[8][4] = {};
    for (int k0 = 0; k0 < k; k0 += P::BK) {
        {   // 8 warps: 2 strips of 32 rows, 4 chunks of four along k
            int r = (warp & 1) * 32 + lane, q = (warp >> 1) * 4;
            const float *p = a + (size_t)(r0 + r) * k + k0 + q;
            float v[4] = {};
            if (r0 + r < m) {
                if (k % 4 == 0) {
                    if (k0 + q < k) { float4 f = *(const float4 *)p; v[0] = f.x; v[1] = f.y; v[2] = f.z; v[3] = f.w; }
                } else
#pragma unroll
                    for (int j = 0; j < 4; j++) if (k0 + q + j < k) v[j] = p[j];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) s.a[q + j][r] = v[j];
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int i = warp + 8 * (j & 1), q = lane + 32 * (j >> 1);
            s.b[i][q] = k0 + i < k && c0 + q < n ? b[(size_t)(k0 + i) * n + c0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < P::BK; i++) {
            float x[8], y[4];
#pragma unroll
            for (int g = 0; g < 2; g++) *(float4 *)&x[4 * g] = *(const float4 *)&s.a[i][wr + g * 16 + lr * 4];
            *(float4 *)y = *(const float4 *)&s.b[i][wc + lc * 4];
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) acc[p][q] = __fmaf_rn(x[p], y[q], acc[p][q]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int r = r0 + wr + p / 4 * 16 + lr * 4 + p % 4, x = c0 + wc + lc * 4 + q;
            if (r < m && x < n) c[(size_t)r * n + x] = acc[p][q];
        }
}
