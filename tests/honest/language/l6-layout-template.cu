// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: CuTe-like Layout<Shape, Stride> and thread layout 8 x 16, 2 x 4 products a thread
template <int S0, int S1, int D0, int D1> struct Layout {
    static constexpr int size = S0 * S1;
    __device__ constexpr int operator()(int i, int j) const { return i * D0 + j * D1; }
    static __device__ constexpr int row(int t) { return t / S1; }
    static __device__ constexpr int col(int t) { return t % S1; }
};
template <class L> struct Swizzled {  // chunks of four, key = row % 8
    __device__ int operator()(int i, int q) const { return L{}(i, q ^ (i & 7)); }
};
template <class L> struct Tensor {
    float4 *p;
    __device__ float4 &operator()(int i, int j) const { return p[L{}(i, j)]; }
};
struct Global {
    const float *p; int rows, cols;
    __device__ float4 chunk(int r, int q) const
    {
        float v[4];
        const float *f = p + (size_t)r * cols + q;
        if (cols % 4 == 0) {
            if (r < rows && q < cols) return *(const float4 *)f;
            return float4{};
        }
#pragma unroll
        for (int j = 0; j < 4; j++) v[j] = r < rows && q + j < cols ? f[j] : 0.0f;
        return make_float4(v[0], v[1], v[2], v[3]);
    }
};
LAUNCH(128, 1, 32, 32)
__global__ void __launch_bounds__(128) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using Rows = Layout<32, 8, 8, 1>;
    using Threads = Layout<16, 8, 8, 1>;
    __shared__ float4 sa[Rows::size], sb[Rows::size];
    Tensor<Swizzled<Rows>> ta{sa};
    Tensor<Rows> tb{sb};
    Global ga{a, m, k}, gb{b, k, n};
    const int t = threadIdx.x, ty = Threads::row(t), tx = Threads::col(t);
    float acc[2][4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            ta(ty + 16 * h, tx) = ga.chunk(blockIdx.y * 32 + ty + 16 * h, k0 + tx * 4);
            tb(ty + 16 * h, tx) = gb.chunk(k0 + ty + 16 * h, blockIdx.x * 32 + tx * 4);
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 8; q++) {
            float4 x0 = ta(ty, q), x1 = ta(ty + 16, q);
            const float u[2][4] = {{x0.x, x0.y, x0.z, x0.w}, {x1.x, x1.y, x1.z, x1.w}};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 w = tb(q * 4 + i, tx);
                const float v[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
                for (int e = 0; e < 8; e++) acc[e / 4][e % 4] += u[e / 4][i] * v[e % 4];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 8; e++) {
        int r = blockIdx.y * 32 + ty + e / 4 * 16, q = blockIdx.x * 32 + tx * 4 + e % 4;
        if (r < m && q < n) c[(size_t)r * n + q] = acc[e / 4][e % 4];
    }
}
