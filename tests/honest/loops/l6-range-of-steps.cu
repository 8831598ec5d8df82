// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: for (int k0 : steps(k)), and views of a and b that are 0 outside
LAUNCH(32, 32, 32, 32)

constexpr int TILE = 32;

// The numbers 0, TILE, 2 TILE … below k, as something to walk over.
struct Steps {
    struct iterator {
        int at;
        __device__ int operator*() const { return at; }
        __device__ void operator++() { at += TILE; }
        __device__ bool operator!=(const iterator &end) const { return at < end.at; }
    };
    int k;
    __device__ iterator begin() const { return iterator{0}; }
    __device__ iterator end() const { return iterator{k}; }
};

// A matrix that goes on for ever: zeros, where it has ended.
struct Endless {
    const float *first;
    int rows, columns;
    __device__ float operator()(int row, int column) const
    {
        return row < rows && column < columns ? first[row * columns + column] : 0.0f;
    }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float left[TILE][TILE], right[TILE][TILE];

    const Endless A{a, m, k}, B{b, k, n};
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float dot = 0.0f;

    for (int k0 : Steps{k}) {
        left[ty][tx] = A(row, k0 + tx);
        right[ty][tx] = B(k0 + ty, column);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < TILE; ++i)
            dot += left[ty][i] * right[i][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = dot;
}
