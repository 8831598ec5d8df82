// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: expression of 32 products by recursive templates (binary tree of dot products), static __device__ helpers, tiles in a union with float4 rows
LAUNCH(32, 32, 32, 32)

union Row {
    float f[32];
    float4 v[8];
};
struct Tiles {
    Row a[32];
    float b[32][32];
};

template <int Count>
struct Dot {
    static_assert(Count % 2 == 0, "even");
    static __device__ __forceinline__ float of(const float4 *x, const float *y)
    {
        // The left half and the right half: a tree in place of a chain.
        return Dot<Count / 2>::of(x, y) + Dot<Count / 2>::of(x + Count / 8, y + Count / 2 * 32);
    }
};
template <>
struct Dot<4> {
    static __device__ __forceinline__ float of(const float4 *x, const float *y)
    {
        const float4 four = *x;
        return (four.x * y[0] + four.y * y[32]) + (four.z * y[64] + four.w * y[96]);
    }
};

static __device__ void load(float &to, const float *matrix, int r, int c, int rows, int columns)
{
    to = 0.0f;
    if (r < rows && c < columns)
        to = matrix[(long long)r * columns + c];
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) Tiles tiles;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    float sum = 0;
    int k0 = 0;
    while (k0 < k) {
        load(tiles.a[ty].f[tx], a, row, k0 + tx, m, k);
        load(tiles.b[ty][tx], b, k0 + ty, column, k, n);
        __syncthreads();
        sum += Dot<32>::of(tiles.a[ty].v, &tiles.b[0][tx]);
        __syncthreads();
        k0 += 32;
    }
    if (row < m && column < n)
        c[(long long)row * n + column] = sum;
}
