// lesson 6; device sim; nvcc,clang; want: full; tries: two places for the tiles and one barrier a step, products by vector operators and a fill given as a template argument
LAUNCH(32, 32, 32, 32)

struct alignas(16) Four {
    float e[4];
    __device__ __forceinline__ float operator*(const Four &o) const
    {
        return fmaf(e[3], o.e[3], fmaf(e[2], o.e[2], fmaf(e[1], o.e[1], e[0] * o.e[0])));
    }
};

union Tile {
    float at[32][32];
    Four quad[32][8];
};

struct Place {
    Tile a, b;
};

// What both fills have in common: an element that exists, or 0.
__device__ __forceinline__ float existing(const float *from, int r, int c, int rows, int columns)
{
    return r < rows && c < columns ? from[(size_t)r * columns + c] : 0.0f;
}

using Fetch = float(const float *, int, int, int, int);

template <Fetch *FETCH>
__device__ __forceinline__ void fill(Place &place, const float *a, const float *b, int row, int column, int k0, int m,
                                     int n, int k)
{
    place.a.at[threadIdx.y][threadIdx.x] = FETCH(a, row, k0 + threadIdx.x, m, k);
    place.b.at[threadIdx.y][threadIdx.x] = FETCH(b, k0 + threadIdx.y, column, k, n);
}

template <int Q>
__device__ __forceinline__ float dot(const Place &place, int x, int y, float sum)
{
    if constexpr (Q == 8)
        return sum;
    else {
        const Four left = place.a.quad[y][Q];
        const Four right = {{place.b.at[Q * 4][x], place.b.at[Q * 4 + 1][x], place.b.at[Q * 4 + 2][x],
                             place.b.at[Q * 4 + 3][x]}};
        return dot<Q + 1>(place, x, y, sum + left * right);
    }
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Place places[2];

    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    unsigned which = 0;

    for (int k0 = 0; k0 < k; k0 += 32, which ^= 1) {
        fill<existing>(places[which], a, b, row, column, k0, m, n, k);
        // All have filled this place; and all have left the other one, which the next turn fills: they
        // had read it before they filled this one.
        __syncthreads();
        sum = dot<0>(places[which], threadIdx.x, threadIdx.y, sum);
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
