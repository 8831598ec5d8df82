// lesson 16; device sim,gpu; nvcc,clang; want: fail|timeout; tries: at the edges a lane reads from shared memory what store_matrix_sync put there with no __syncwarp() since: which lane stores which element is not specified, so it may be another lane's (m % 16 or n % 16 != 0)
#include <cuda_fp16.h>
#include <mma.h>

LAUNCH(128, 1, 64, 128)

using namespace nvcuda;

// Eight halves of a row, of which the first `have` exist; the others are 0.
__device__ uint4 load8(const __half *from, int have, bool aligned)
{
    if (aligned)
        return have > 0 ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
    unsigned word[4] = {};
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (j < have)
            word[j / 2] |= (unsigned)((const unsigned short *)from)[j] << j % 2 * 16;
    return make_uint4(word[0], word[1], word[2], word[3]);
}

__global__ void matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    // Steps of 32 along k, and rows of 80 and 144 bytes: eight rows begin in eight groups of banks.
    __shared__ __align__(32) __half a_tile[128][40], b_tile[32][72];
    __shared__ __align__(32) float edge[4][16 * 16];  // for each warp

    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64, y0 = warp / 2 * 64, x0 = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (int p = 0; p < 8; p++)
        wmma::fill_fragment(sum[p / 2][p % 2], 0.0f);

    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int j = 0; j < 4; j++) {  // eight lanes store chunks of rows r and r + 4: other banks
            int e = id + j * 128, q = e % 4, r = e / 32 * 8 + e / 8 % 4 + e / 4 % 2 * 4, i = k0 + q * 8;
            *(uint4 *)&a_tile[r][q * 8] =
                load8(a + (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 8 == 0);  // @fill-a
        }
        for (int j = 0; j < 2; j++) {
            int e = id + j * 128, r = e / 8, q = e % 8, i = k0 + r, column = column0 + q * 8;
            *(uint4 *)&b_tile[r][q * 8] = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);  // @fill-b
        }
        __syncthreads();

        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[2];
            for (int p = 0; p < 4; p++)
                wmma::load_matrix_sync(x[p], &a_tile[y0 + p * 16][step], 40);  // @a
            for (int p = 0; p < 2; p++)
                wmma::load_matrix_sync(y[p], &b_tile[step][x0 + p * 16], 72);  // @b
            for (int p = 0; p < 8; p++)
                wmma::mma_sync(sum[p / 2][p % 2], x[p / 2], y[p % 2], sum[p / 2][p % 2]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        int row = row0 + y0 + p / 2 * 16, column = column0 + x0 + p % 2 * 16;
        if (row + 16 <= m && column + 16 <= n && n % 8 == 0) {  // all of it exists
            wmma::store_matrix_sync(c + row * n + column, sum[p / 2][p % 2], n, wmma::mem_row_major);
            continue;
        }
        // At an edge: by way of shared memory, each lane the eight elements that it holds anyway, so
        // that it need not wait for the others.
        wmma::store_matrix_sync(edge[warp], sum[p / 2][p % 2], 16, wmma::mem_row_major);
        for (int e = 0; e < 8; e++) {
            int y = lane / 4 + e / 2 % 2 * 8, x = lane % 4 * 2 + e % 2 + e / 4 * 8;
            if (row + y < m && column + x < n)
                c[(row + y) * n + column + x] = edge[warp][y * 16 + x];
        }
        __syncwarp();  // before the next product overwrites it
    }
}
