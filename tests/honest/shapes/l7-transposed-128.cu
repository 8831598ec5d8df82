// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: 128 x 128 by 256 threads, 8 x 8 each, a transposed, steps of 8
LAUNCH(256, 1, 128, 128)

template <int ROWS, int COLUMNS> struct Accumulator {
    float v[ROWS][COLUMNS];
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (auto &row : v)
#pragma unroll
            for (auto &x : row)
                x = 0;
    }
    __device__ __forceinline__ void add(const float (&x)[ROWS], const float (&y)[COLUMNS])
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int q = 0; q < COLUMNS; q++)
                v[r][q] += x[r] * y[q];
    }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[8][132];
    __shared__ __align__(16) float b_tile[8][128];
    int id = threadIdx.x, tx = id % 16, ty = id / 16, row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    Accumulator<8, 8> sum;
    sum.clear();
    for (int k0 = 0; k0 < k; k0 += 8) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 2 , i = id % 2 * 4 + j;
            a_tile[i][r] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
            int e = id + j * 256;
            b_tile[e / 128][e % 128] = k0 + e / 128 < k && column0 + e % 128 < n ? b[(k0 + e / 128) * n + column0 + e % 128] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float4 u = *(const float4 *)&a_tile[i][h * 64 + ty * 4], v = *(const float4 *)&b_tile[i][h * 64 + tx * 4];
                x[h * 4] = u.x, x[h * 4 + 1] = u.y, x[h * 4 + 2] = u.z, x[h * 4 + 3] = u.w;
                y[h * 4] = v.x, y[h * 4 + 1] = v.y, y[h * 4 + 2] = v.z, y[h * 4 + 3] = v.w;
            }
            sum.add(x, y);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int row = row0 + r / 4 * 64 + ty * 4 + r % 4, column = column0 + q / 4 * 64 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum.v[r][q];
        }
}
