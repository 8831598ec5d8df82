// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: in the last step of the first team no barrier follows, and a lane stores its sum over a word of a_tile that the other lanes of its warp may still be multiplying with: no __syncwarp() lies between; every k
// 06 tiled GEMM: two teams of 512 threads, each takes every second tile along k, and their sums are added at the end.
LAUNCH(32, 32, 32, 32)

#define MEET(team) asm volatile("bar.sync %0, 512;" :: "r"((team) + 1) : "memory")

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[2][32][32], b_tile[2][32][32];

    int tx = threadIdx.x, team = threadIdx.y / 16, y = threadIdx.y % 16;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + y;  // and the row 16 below
    float upper = 0, lower = 0;

    for (int k0 = team * 32; k0 < k; k0 += 64) {
        bool in_k = k0 + tx < k;
        a_tile[team][y][tx] = row < m && in_k ? a[row * k + k0 + tx] : 0.0f;
        a_tile[team][y + 16][tx] = row + 16 < m && in_k ? a[(row + 16) * k + k0 + tx] : 0.0f;
        b_tile[team][y][tx] = k0 + y < k && column < n ? b[(k0 + y) * n + column] : 0.0f;
        b_tile[team][y + 16][tx] = k0 + y + 16 < k && column < n ? b[(k0 + y + 16) * n + column] : 0.0f;
        MEET(team);

#pragma unroll
        for (int i = 0; i < 32; i++) {
            upper += a_tile[team][y][i] * b_tile[team][i][tx];
            lower += a_tile[team][y + 16][i] * b_tile[team][i][tx];
        }
        if (k0 + 64 < k)  // after the last step nobody fills
            MEET(team);
    }

    // Rows y and y + 16 of the tile of a are this warp's own: no other warp reads them.
    if (team == 0) {
        a_tile[0][y][tx] = upper;
        a_tile[0][y + 16][tx] = lower;
    }
    __syncthreads();
    if (team == 1) {
        if (row < m && column < n)
            c[row * n + column] = upper + a_tile[0][y][tx];
        if (row + 16 < m && column < n)
            c[(row + 16) * n + column] = lower + a_tile[0][y + 16][tx];
    }
}
