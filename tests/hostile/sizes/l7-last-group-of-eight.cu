// lesson 7; device sim,gpu; nvcc,clang; want: fail|timeout; tries: blocks are dealt out in groups of eight rows of blocks, the last group too if it has fewer: for m > 512 with ceil(m / 64) % 8 != 0 the right part of the last rows of c is never written
LAUNCH(16, 16, 64, 64)

// Which 64 x 64 tile of c this block has. Blocks that run at about the same time should share rows
// of a and columns of b in L2: they are numbered down columns of eight, or of as many as there are.
__device__ int2 place()
{
    int id = blockIdx.y * gridDim.x + blockIdx.x;
    int high = gridDim.y < 8 ? gridDim.y : 8;
    int group = id / (high * gridDim.x), in_group = id % (high * gridDim.x);
    return make_int2(in_group / high, group * high + in_group % high);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];

    int id = threadIdx.y * 16 + threadIdx.x;
    int2 at = place();
    int row0 = at.y * 64, column0 = at.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

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

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];  // @a
                y[j] = b_tile[i][q0 + j];  // @b
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
