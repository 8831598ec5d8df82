// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: the loop's first barrier is __syncthreads_or that also asks whether to go on; noinline loader with out parameters, tile rows as float4 lvalues
LAUNCH(32, 32, 32, 32)

struct Pair {
    float a, b;
};

__device__ __noinline__ void fetch(Pair &to, const float *a, const float *b, int row, int column, int k0, int m, int n, int k)
{
    const int i = k0 + (int)threadIdx.x, j = k0 + (int)threadIdx.y;
    to.a = row < m && i < k ? a[(size_t)row * k + i] : 0.0f;
    to.b = j < k && column < n ? b[(size_t)j * n + column] : 0.0f;
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_rows[32][8];
    __shared__ float b_rows[32][32];

    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum[4] = {};
    Pair pair;
    int k0 = 0;
    fetch(pair, a, b, row, column, 0, m, n, k);

    // True for all or for none. It is the barrier as well: all have read the tiles of the last turn.
    while (__syncthreads_or(k0 < k)) {
        (&a_rows[threadIdx.y][0].x)[threadIdx.x] = pair.a;
        b_rows[threadIdx.y][threadIdx.x] = pair.b;
        k0 += 32;
        __syncthreads();
        fetch(pair, a, b, row, column, k0, m, n, k);  // zeros behind the end
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const float4 &x = a_rows[threadIdx.y][q];
            const float(*y)[32] = &b_rows[4 * q];
            sum[0] += x.x * y[0][threadIdx.x];
            sum[1] += x.y * y[1][threadIdx.x];
            sum[2] += x.z * y[2][threadIdx.x];
            sum[3] += x.w * y[3][threadIdx.x];
        }
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
