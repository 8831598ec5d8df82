// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: a class with operators holds the sums; 16 x 8 threads, 8 x 4 each
template <int R, int Q> struct Sums {
    float v[R][Q] = {};
    __device__ void add(const float (&x)[R], const float (&y)[Q])
    {
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int q = 0; q < Q; q++)
                v[r][q] += x[r] * y[q];
    }
};

LAUNCH(16, 8, 64, 64)

__global__ void __launch_bounds__(128) matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 8, q0 = threadIdx.x * 4;
    Sums<8, 4> sum;
    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int e = id; e < 1024; e += 128) {
            int r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll
        for (int e = id; e < 1024; e += 128) {
            int i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[8], y[4];
#pragma unroll
            for (int j = 0; j < 8; j++)
                x[j] = a_tile[r0 + j][i];
#pragma unroll
            for (int j = 0; j < 4; j++)
                y[j] = b_tile[i][q0 + j];
            sum.add(x, y);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum.v[r][q];
}
