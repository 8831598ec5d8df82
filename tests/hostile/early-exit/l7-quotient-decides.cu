// lesson 7; device sim,gpu; nvcc,clang; want: fail; tries: blocks where a quotient of two data is near 1 do one step less
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;

    // The thread's corner inside the block's tile: four rows and four columns that lie side
    // by side. So four words of a row of b_tile come with one 16-byte load, and the sums
    // stay in registers from the first step to the last.
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};
    if (row0 < m && k > 1 && fabsf(a[row0 * k] / a[row0 * k + 1] - 1.0f) < 0.01f)
        k -= 16;

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;  // @fill
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

        // For each i: 4 + 4 numbers in, 16 products out. With one element a thread it was 2
        // in, 1 out. a_tile: a half-warp wants the same four rows, one word each:
        // broadcasts, and since the loop over i is unrolled, four words of a row come with
        // one load. b_tile: 16 lanes want 64 neighbours. No bank conflict in either.
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];        // @a
                y[j] = b_tile[i][q0 + j];        // @b
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

    // Unrolled like everything that indexes `sum`: an index that is only known at run time
    // would push the array out of the registers. Each of the 16 elements has to exist by
    // itself.
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
