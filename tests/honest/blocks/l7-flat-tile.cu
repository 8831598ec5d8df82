// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: tiles of 32 rows and 128 columns, steps of 32, a warp has four whole rows; a vector struct with operators
LAUNCH(32, 8, 128, 32)

struct alignas(16) Four {
    float e[4];

    friend __device__ __forceinline__ Four operator*(float s, const Four &v)
    {
        return {s * v.e[0], s * v.e[1], s * v.e[2], s * v.e[3]};
    }
    __device__ __forceinline__ Four &operator+=(const Four &v)
    {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            e[j] += v.e[j];
        return *this;
    }
    // Four neighbours, of which the first `have` exist.
    static __device__ __forceinline__ Four load(const float *from, int have, bool aligned)
    {
        Four v = {};
        if (aligned) {
            if (have > 0)
                v = *reinterpret_cast<const Four *>(from);
        } else
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (j < have)
                    v.e[j] = from[j];
        return v;
    }
    __device__ __forceinline__ void store(float *to, int have, bool aligned) const
    {
        if (aligned) {
            if (have > 0)
                *reinterpret_cast<Four *>(to) = *this;
        } else
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (j < have)
                    to[j] = e[j];
    }
};

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Four a_tile[32][8];   // 32 rows of 32 along k
    __shared__ Four b_tile[32][32];  // 32 along k of 128 columns

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 128 + lane * 4;
    const bool aligned = n % 4 == 0;
    Four sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int line = 0; line < 4; ++line) {
            const int j = warp + line * 8;
            const bool there = row0 + j < m && k0 + lane < k;
            a_tile[j][lane / 4].e[lane % 4] = there ? a[(row0 + j) * k + k0 + lane] : 0.0f;
        }
#pragma unroll
        for (int line = 0; line < 4; ++line) {
            const int j = warp + line * 8;
            const int have = k0 + j < k ? n - column : 0;
            b_tile[j][lane] = Four::load(have > 0 ? b + (size_t)(k0 + j) * n + column : b, have, aligned);
        }
        __syncthreads();

#pragma unroll
        for (int q = 0; q < 8; ++q) {
            Four x[4];  // of each of the warp's rows; all lanes want the same
#pragma unroll
            for (int p = 0; p < 4; ++p)
                x[p] = a_tile[warp * 4 + p][q];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const Four y = b_tile[q * 4 + i][lane];
#pragma unroll
                for (int p = 0; p < 4; ++p)
                    sum[p] += x[p].e[i] * y;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; ++p)
        if (const int row = row0 + warp * 4 + p; row < m && column < n)
            sum[p].store(c + (size_t)row * n + column, n - column, aligned);
}
