// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a metaprogrammer's outer product: fragments returned as structs, recursive templates over the 16 products and over the steps; 64 x 4 threads stand as 16 x 16, four rows and four neighbouring columns each, both tiles read by float4; right for all edges
LAUNCH(64, 4, 64, 64)

template <int N> struct Fragment { float v[N]; };
struct Sums { float v[4][4]; };

template <int N> struct Outer {
    static __device__ __forceinline__ void add(Sums &s, const Fragment<4> &x, const Fragment<4> &y)
    {
        Outer<N - 1>::add(s, x, y);
        s.v[(N - 1) / 4][(N - 1) % 4] += x.v[(N - 1) / 4] * y.v[(N - 1) % 4];
    }
};
template <> struct Outer<0> {
    static __device__ __forceinline__ void add(Sums &, const Fragment<4> &, const Fragment<4> &) {}
};

__device__ __forceinline__ Fragment<4> unpack(float4 q) { return {{q.x, q.y, q.z, q.w}}; }

// Rows 4 ty to 4 ty + 3 of four neighbouring columns, column by column.
struct Block44 { Fragment<4> column[4]; };
__device__ __forceinline__ Block44 load_a(const float4 (&a)[64][4], int r, int quad)
{
    Block44 block;
#pragma unroll
    for (int p = 0; p < 4; p++) {
        Fragment<4> row = unpack(a[r + p][quad]);
#pragma unroll
        for (int i = 0; i < 4; i++)
            block.column[i].v[p] = row.v[i];
    }
    return block;
}

template <int I> struct Quads {
    static __device__ __forceinline__ void run(Sums &s, const float4 (&a)[64][4], const float4 (&b)[16][16], int ty, int tx)
    {
        Quads<I - 1>::run(s, a, b, ty, tx);
        const Block44 x = load_a(a, ty * 4, I - 1);
#pragma unroll
        for (int i = 0; i < 4; i++)
            Outer<16>::add(s, x.column[i], unpack(b[(I - 1) * 4 + i][tx]));
    }
};
template <> struct Quads<0> {
    static __device__ __forceinline__ void run(Sums &, const float4 (&)[64][4], const float4 (&)[16][16], int, int) {}
};

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[64][4], b_tile[16][16];
    const int id = threadIdx.y * 64 + threadIdx.x, ty = id / 16, tx = id % 16;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    Sums sums = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 1024; e += 256) {
            int r = e / 16, i = e % 16;
            reinterpret_cast<float *>(a_tile[r])[i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int e = id; e < 1024; e += 256) {
            int i = e / 64, q = e % 64;
            reinterpret_cast<float *>(b_tile[i])[q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();
        Quads<4>::run(sums, a_tile, b_tile, ty, tx);
        __syncthreads();
    }

#pragma unroll
    for (int e = 0; e < 16; e++) {
        int r = row0 + ty * 4 + e / 4, q = column0 + tx * 4 + e % 4;
        if (r < m && q < n)
            c[r * n + q] = sums.v[e / 4][e % 4];
    }
}
