// lesson 7; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a warp refills its own eight rows of a_tile while other lanes of it may still read them: the step's one barrier comes behind the filling, and no __syncwarp() stands before it; every k > 16
// 07 register tiling: rows of a are a warp's own, b has two places, and so a step needs one barrier.
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[2][16][64];

    int id = threadIdx.y * 16 + threadIdx.x, lane = id % 32, warp = id / 32;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    for (int k0 = 0, place = 0; k0 < k; k0 += 16, place ^= 1) {
        // A warp computes rows 8 warp to 8 warp + 7 of the tile, and brings the same rows of a.
        for (int j = 0; j < 4; j++) {
            int e = lane + j * 32, r = warp * 8 + e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        // b is everybody's. Who is a step behind still reads the other place.
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[place][i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[place][i][q0 + j];
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
    }

#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
