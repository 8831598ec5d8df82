// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: Winograd's inner product (a0 + b1)(a1 + b0) - a0 a1 - b0 b1 cancels: with a near 10000 and b near 0.0001 the products of about 1 drown in the rounding of 1e8
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][33], b_tile[32][32], of_row[32], of_column[32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

        // Half of the products: what belongs to a row or a column alone is made once.
        if (ty < 2) {
            float pairs = 0;
            for (int i = 0; i < 32; i += 2)
                pairs += ty ? b_tile[i][tx] * b_tile[i + 1][tx] : a_tile[tx][i] * a_tile[tx][i + 1];
            (ty ? of_column : of_row)[tx] = pairs;
        }
        __syncthreads();

        float part = 0;
#pragma unroll
        for (int i = 0; i < 32; i += 2)
            part += (a_tile[ty][i] + b_tile[i + 1][tx]) * (a_tile[ty][i + 1] + b_tile[i][tx]);
        sum += part - of_row[ty] - of_column[tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
