// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a step along k is 64 deep, so that a pair of tiles is 32 x 64 and 64 x 32 and each thread brings two floats of each; half the barriers, the same traffic and wavefronts, zeros where a or b has ended; right
LAUNCH(32, 32, 32, 32)

template <int Depth>
struct Stage {
    float a[32][Depth];
    float b[Depth][32];
};

__global__ void __launch_bounds__(1024)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int depth = 64;
    __shared__ alignas(16) Stage<depth> s;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;

    auto a_at = [=](int i) { return row < m && i < k ? a[row * k + i] : 0.f; };
    auto b_at = [=](int i) { return column < n && i < k ? b[i * n + column] : 0.f; };

    float even = 0, odd = 0;
    for (int k0 = 0; k0 < k; k0 += depth) {
#pragma unroll
        for (int half = 0; half < depth; half += 32) {
            s.a[y][half + x] = a_at(k0 + half + x);
            s.b[half + y][x] = b_at(k0 + half + y);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < depth; i += 2) {
            even += s.a[y][i] * s.b[i][x];
            odd += s.a[y][i + 1] * s.b[i + 1][x];
        }
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = even + odd;
}
