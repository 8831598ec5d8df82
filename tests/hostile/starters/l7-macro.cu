// lesson 7; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with a number as a macro
// 07 register tiling: each thread computes 4 x 4 elements of c.
//
// Contract: c = a b; a is m x k, b is k x n, c is m x n, all row after row, any positive
// sizes. A block of 16 x 16 threads computes a 64 x 64 tile of c, in steps of 16 along k.
#define STEP 16
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;  // the block's corner of c
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += STEP) {
        // Filling is done: 1024 elements of each tile, four for each thread, zeros past the
        // edges.
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

        // TODO: a thread owns one element of c here, so 256 of the 4096 are computed. Give
        //       it 4 x 4 of them: which rows, which columns? For each i fetch what is
        //       needed from the tiles into registers once, then do all 16 products. How
        //       many numbers is that? How will the reads of 32 lanes fall on the banks?
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];  // @multiply
        __syncthreads();
    }

    int row = row0 + threadIdx.y, column = column0 + threadIdx.x;
    if (row < m && column < n)
        c[row * n + column] = sum;
}
