// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: what the next product wants is read from the tiles while this one is made, by templates, tiles as in the solution
LAUNCH(256, 1, 64, 64)

struct alignas(16) V4 {
    float x, y, z, w;
    __device__ __forceinline__ V4 &madd(float s, const V4 &o)
    {
        x = fmaf(s, o.x, x);
        y = fmaf(s, o.y, y);
        z = fmaf(s, o.z, z);
        w = fmaf(s, o.w, w);
        return *this;
    }
    template <int I>
    __device__ __forceinline__ float get() const
    {
        if constexpr (I == 0) return x;
        else if constexpr (I == 1) return y;
        else if constexpr (I == 2) return z;
        else return w;
    }
};

struct Tiles {
    V4 a[64][4];   // 64 rows of 16
    V4 b[16][16];  // 16 rows of 64
};

struct Registers {
    V4 a[2][4];  // four rows, four steps of i: two sets
    V4 b[2];     // four columns of one row of b: two sets
    V4 sum[4];
};

template <int I>
__device__ __forceinline__ void read(Registers &reg, const Tiles &t, int tx, int ty)
{
    if constexpr (I < 16) {
        if constexpr (I % 4 == 0)
#pragma unroll
            for (int p = 0; p < 4; p++)
                reg.a[I / 4 % 2][p] = t.a[ty * 4 + p][I / 4];
        reg.b[I % 2] = t.b[I][tx];
    }
}

template <int I>
__device__ __forceinline__ void multiply(Registers &reg, const Tiles &t, int tx, int ty)
{
    if constexpr (I < 16) {
        read<I + 1>(reg, t, tx, ty);
#pragma unroll
        for (int p = 0; p < 4; p++)
            reg.sum[p].madd(reg.a[I / 4 % 2][p].get<I % 4>(), reg.b[I % 2]);
        multiply<I + 1>(reg, t, tx, ty);
    }
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Tiles tiles;

    const int id = threadIdx.x, tx = id & 15, ty = id >> 4;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float *a_words = &tiles.a[0][0].x, *b_words = &tiles.b[0][0].x;
    Registers reg = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = row0 + (e >> 4), i = k0 + (e & 15);
            a_words[e] = r < m && i < k ? a[(size_t)r * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = k0 + (e >> 6), q = column0 + (e & 63);
            b_words[e] = i < k && q < n ? b[(size_t)i * n + q] : 0.0f;
        }
        __syncthreads();
        read<0>(reg, tiles, tx, ty);
        multiply<0>(reg, tiles, tx, ty);
        __syncthreads();
    }

    const int row = row0 + ty * 4, column = column0 + tx * 4;
#pragma unroll
    for (int p = 0; p < 4; p++) {
        if (row + p >= m)
            break;
        float *to = c + (size_t)(row + p) * n + column;
        const V4 &s = reg.sum[p];
        if (n % 4 == 0) {
            if (column < n)
                *reinterpret_cast<V4 *>(to) = s;
        } else {
            if (column < n) to[0] = s.x;
            if (column + 1 < n) to[1] = s.y;
            if (column + 2 < n) to[2] = s.z;
            if (column + 3 < n) to[3] = s.w;
        }
    }
}
