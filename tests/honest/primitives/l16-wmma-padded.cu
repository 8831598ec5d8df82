// lesson 16; device sim,gpu; nvcc,clang; want: pass; tries: nvcuda::wmma on padded tiles, steps of 32 along k; tiles at the edge leave through shared memory
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

LAUNCH(128, 1, 64, 128)

constexpr int DEEP = 32, A_PITCH = DEEP + 8, B_PITCH = 64 + 8, C_PITCH = 16 + 4;

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

__global__ void __launch_bounds__(128)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    // Rows of 80 and of 144 bytes: eight rows that follow one another begin in eight different groups of banks.
    __shared__ __align__(128) __half a_tile[128 * A_PITCH];
    __shared__ __align__(128) __half b_tile[DEEP * B_PITCH];
    __shared__ __align__(128) float edge[4][16 * C_PITCH];

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
#pragma unroll
    for (int p = 0; p < 8; p++)
        wmma::fill_fragment(sum[p / 2][p % 2], 0.0f);

    for (int k0 = 0; k0 < k; k0 += DEEP) {
        // A warp brings eight rows of a at a time, and eight lanes in a row have eight of them: so they store
        // to different banks.
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = (warp + j * 4) * 8 + lane % 8, q = lane / 8, row = row0 + r, i = k0 + q * 8;
            *(uint4 *)&a_tile[r * A_PITCH + q * 8] = load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int e = id + j * 128, r = e / 8, q = e % 8, i = k0 + r, column = column0 + q * 8;
            *(uint4 *)&b_tile[r * B_PITCH + q * 8] = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < DEEP; i += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[2];
#pragma unroll
            for (int p = 0; p < 4; p++)
                wmma::load_matrix_sync(x[p], &a_tile[(y0 + p * 16) * A_PITCH + i], A_PITCH);
#pragma unroll
            for (int q = 0; q < 2; q++)
                wmma::load_matrix_sync(y[q], &b_tile[i * B_PITCH + x0 + q * 16], B_PITCH);
#pragma unroll
            for (int p = 0; p < 8; p++)
                wmma::mma_sync(sum[p / 2][p % 2], x[p / 2], y[p % 2], sum[p / 2][p % 2]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + y0 + p / 2 * 16, column = column0 + x0 + p % 2 * 16;
        if (row + 16 <= m && column + 16 <= n && n % 8 == 0) {  // whole, and at a multiple of 32 bytes
            wmma::store_matrix_sync(c + (size_t)row * n + column, sum[p / 2][p % 2], n, wmma::mem_row_major);
        } else {
            wmma::store_matrix_sync(edge[warp], sum[p / 2][p % 2], C_PITCH, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32) {
                const int r = e / 16, q = e % 16;
                if (row + r < m && column + q < n)
                    c[(size_t)(row + r) * n + column + q] = edge[warp][r * C_PITCH + q];
            }
            __syncwarp();
        }
    }
}
