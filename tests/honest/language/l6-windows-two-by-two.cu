// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads with 2 x 2 elements each, steps of 64 along k, a Window functor that answers zero outside of the matrix
LAUNCH(16, 16, 32, 32)

struct Window {
    const float *base;
    int rows, cols, pitch;
    __device__ float operator()(int r, int c) const
    {
        return r < rows && c < cols ? base[static_cast<size_t>(r) * pitch + c] : 0.0f;
    }
};

template <int H, int W, int THREADS, class F>
__device__ void fill(float (&tile)[H][W], int id, F element)
{
#pragma unroll
    for (int e = id; e < H * W; e += THREADS)
        tile[e / W][e % W] = element(e / W, e % W);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int STEP = 64;
    __shared__ __align__(16) float a_tile[32][STEP];
    __shared__ __align__(16) float b_tile[STEP][32];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float2 top = make_float2(0, 0), low = make_float2(0, 0);

    for (int k0 = 0; k0 < k; k0 += STEP) {
        const Window from_a{a + (size_t)row0 * k + k0, m - row0, k - k0, k};
        const Window from_b{b + (size_t)k0 * n + column0, k - k0, n - column0, n};
        fill<32, STEP, 256>(a_tile, id, from_a);
        fill<STEP, 32, 256>(b_tile, id, from_b);
        __syncthreads();

#pragma unroll 8
        for (int i = 0; i < STEP; i += 4) {
            const float4 x = *reinterpret_cast<const float4 *>(&a_tile[2 * ty][i]);
            const float4 z = *reinterpret_cast<const float4 *>(&a_tile[2 * ty + 1][i]);
            const float xs[4] = {x.x, x.y, x.z, x.w}, zs[4] = {z.x, z.y, z.z, z.w};
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const float2 y = *reinterpret_cast<const float2 *>(&b_tile[i + j][2 * tx]);
                top.x += xs[j] * y.x;
                top.y += xs[j] * y.y;
                low.x += zs[j] * y.x;
                low.y += zs[j] * y.y;
            }
        }
        __syncthreads();
    }

    auto give = [=](int r, int q, float value) {
        if (r < m && q < n)
            c[(size_t)r * n + q] = value;
    };
    give(row0 + 2 * ty, column0 + 2 * tx, top.x);
    give(row0 + 2 * ty, column0 + 2 * tx + 1, top.y);
    give(row0 + 2 * ty + 1, column0 + 2 * tx, low.x);
    give(row0 + 2 * ty + 1, column0 + 2 * tx + 1, low.y);
}
