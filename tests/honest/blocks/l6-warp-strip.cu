// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: eight warps, four rows of c for each lane, the next tiles wait in registers while these are multiplied; macros
LAUNCH(32, 8, 32, 32)

#define EACH(j) _Pragma("unroll") for (int j = 0; j < 4; ++j)
#define IF_THERE(condition, place) ((condition) ? (place) : 0.0f)

// Four of a, four of b: rows ty, ty + 8, ty + 16, ty + 24 of each tile.
#define FETCH(k0)                                                                                  \
    EACH(j)                                                                                        \
    {                                                                                              \
        const long long row = row0 + ty + 8 * j, i = (k0) + ty + 8 * j;                            \
        next_a[j] = IF_THERE(row < m && (k0) + tx < k, a[row * k + (k0) + tx]);                    \
        next_b[j] = IF_THERE(i < k && column < n, b[i * n + column]);                              \
    }

#define STEP(part)                                                                                 \
    {                                                                                              \
        const float y = b_tile[row_of_b++][tx];                                                    \
        EACH(p) sum[p] += x[p].part * y;                                                           \
    }

__global__ void __launch_bounds__(256) matmul(float *__restrict__ c, const float *__restrict__ a,
                                              const float *__restrict__ b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32;
    const long long column = blockIdx.x * 32 + tx;
    float sum[4] = {0, 0, 0, 0}, next_a[4], next_b[4];

    FETCH(0)
    for (int k0 = 0; k0 < k; k0 += 32) {
        EACH(j)
        {
            a_tile[ty + 8 * j][tx] = next_a[j];
            b_tile[ty + 8 * j][tx] = next_b[j];
        }
        __syncthreads();

        if (k0 + 32 < k) {
            FETCH(k0 + 32)
        }

        int row_of_b = 0;
#pragma unroll
        for (int q = 0; q < 8; ++q) {
            float4 x[4];  // one chunk of each of the warp's four rows, the same for all lanes
            EACH(p) x[p] = *(const float4 *)&a_tile[4 * ty + p][4 * q];
            STEP(x)
            STEP(y)
            STEP(z)
            STEP(w)
        }
        __syncthreads();
    }

    EACH(p)
    {
        if (row0 + 4 * ty + p < m && column < n)
            c[(row0 + 4LL * ty + p) * n + column] = sum[p];
    }
}
