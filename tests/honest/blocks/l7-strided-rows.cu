// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a thread's rows stand 16 apart, its columns in two float2 32 apart; operator overloading on a small vector type, 1-D block
LAUNCH(256, 1, 64, 64)

struct quad {
    float e[4];
    __device__ __forceinline__ float &operator[](int i) { return e[i]; }
    __device__ __forceinline__ float operator[](int i) const { return e[i]; }
    __device__ __forceinline__ quad &operator+=(const quad &o)
    {
#pragma unroll
        for (int i = 0; i < 4; i++)
            e[i] += o.e[i];
        return *this;
    }
};
__device__ __forceinline__ quad operator*(float s, const quad &v)
{
    return quad{{s * v.e[0], s * v.e[1], s * v.e[2], s * v.e[3]}};
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16];
    __shared__ __align__(16) float b_tile[16][64];

    const int id = threadIdx.x, tx = id & 15, ty = id >> 4;
    const int top = blockIdx.y * 64, left = blockIdx.x * 64;
    quad sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        // A thread always fills column id % 16 of a and column id % 64 of b.
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = ty + 16 * j, i = k0 + tx;
            a_tile[r][tx] = (top + r < m) & (i < k) ? a[(top + r) * k + i] : 0.0f;
        }
        const int q = left + (id & 63);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = (id >> 6) + 4 * j;
            b_tile[i][id & 63] = (k0 + i < k) & (q < n) ? b[(k0 + i) * n + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i4 = 0; i4 < 4; i4++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = *reinterpret_cast<const float4 *>(&a_tile[ty + 16 * p][i4 * 4]);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float2 u = reinterpret_cast<const float2 *>(b_tile[i4 * 4 + i])[tx];
                const float2 v = reinterpret_cast<const float2 *>(b_tile[i4 * 4 + i])[tx + 16];
                const quad y{{u.x, u.y, v.x, v.y}};
#pragma unroll
                for (int p = 0; p < 4; p++)
                    sum[p] += (i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w) * y;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const int row = top + ty + 16 * p;
        if (row >= m)
            continue;
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int column = left + tx * 2 + q / 2 * 32 + q % 2;
            if (column < n)
                c[row * n + column] = sum[p][q];
        }
    }
}
