// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: main loop as a CRTP base with two policies, guards compiled out where a block is whole along m, n and k; the choice is alike for a block, and either loop fills both tiles, meets, multiplies and meets again
LAUNCH(32, 32, 32, 32)

struct Problem { const float *a, *b; int m, n, k, row, column; };

template <class Policy>
struct Mainloop {
    __device__ static float run(const Problem &p, float (&x)[32][32], float (&y)[32][32])
    {
        const int tx = threadIdx.x, ty = threadIdx.y;
        float sum = 0.0f;
        for (int k0 = 0; k0 < p.k; k0 += 32) {
            x[ty][tx] = Policy::of_a(p, k0 + tx);
            y[ty][tx] = Policy::of_b(p, k0 + ty);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < 32; ++i)
                sum = fmaf(x[ty][i], y[i][tx], sum);
            __syncthreads();
        }
        return sum;
    }
};
struct Inner : Mainloop<Inner> {
    __device__ static float of_a(const Problem &p, int i) { return p.a[p.row * p.k + i]; }
    __device__ static float of_b(const Problem &p, int i) { return p.b[i * p.n + p.column]; }
};
struct Edge : Mainloop<Edge> {
    __device__ static float of_a(const Problem &p, int i) { return p.row < p.m && i < p.k ? Inner::of_a(p, i) : 0.0f; }
    __device__ static float of_b(const Problem &p, int i) { return p.column < p.n && i < p.k ? Inner::of_b(p, i) : 0.0f; }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float x[32][32];
    __shared__ __align__(16) float y[32][32];
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    const Problem p{a, b, m, n, k, row0 + (int)threadIdx.y, column0 + (int)threadIdx.x};
    const bool whole = row0 + 32 <= m && column0 + 32 <= n && k % 32 == 0;
    const float sum = whole ? Inner::run(p, x, y) : Edge::run(p, x, y);
    if (p.row < m && p.column < n)
        c[p.row * n + p.column] = sum;
}
