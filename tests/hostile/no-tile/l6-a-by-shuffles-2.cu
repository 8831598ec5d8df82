// lesson 6; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: a's tile is a mailbox of each warp, read once, its factors are handed round by shuffles, only b is read from a tile

LAUNCH(32, 8, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
    float sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = ty * 4 + j;
            bool in_a = row0 + r < m && k0 + tx < k, in_b = k0 + r < k && column < n;
            a_tile[r][tx] = in_a ? a[(row0 + r) * k + k0 + tx] : 0.0f;
            b_tile[r][tx] = in_b ? b[(k0 + r) * n + column] : 0.0f;
        }
        __syncthreads();

        // The four rows that this very lane has brought.
        float x[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            x[j] = a_tile[ty * 4 + j][tx];
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float y = b_tile[i][tx];
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += __shfl_sync(0xffffffff, x[j], i) * y;
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < 4; j++)
        if (row0 + ty * 4 + j < m && column < n)
            c[(row0 + ty * 4 + j) * n + column] = sum[j];
}
