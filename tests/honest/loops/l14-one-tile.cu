// lesson 14; device sim,gpu; nvcc,clang; want: pass; tries: one tile in place: new values wait in registers between two barriers
constexpr int SIDE = 96, KEEP = SIDE - 16, ROWS = 8;
LAUNCH(SIDE, ROWS, KEEP, KEEP)
__global__ void __launch_bounds__(SIDE * ROWS) relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[SIDE][SIDE];
    const int c = threadIdx.x, x = blockIdx.x * KEEP + c - 8, y0 = blockIdx.y * KEEP - 8;
#pragma unroll
    for (int j = 0; j < SIDE / ROWS; j++) {
        int r = threadIdx.y + j * ROWS, y = y0 + r;
        tile[r][c] = y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0.0f;
    }
    for (int s = 1; s <= 8; s++) {
        float now[SIDE / ROWS];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < SIDE / ROWS; j++) {
            int r = threadIdx.y + j * ROWS, y = y0 + r;
            bool good = r >= s && r < SIDE - s && c >= s && c < SIDE - s;
            now[j] = good && y >= 0 && y < rows && x >= 0 && x < cols ? 0.25f * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < SIDE / ROWS; j++) tile[threadIdx.y + j * ROWS][c] = now[j];
    }
#pragma unroll
    for (int j = 0; j < SIDE / ROWS; j++) {
        int r = threadIdx.y + j * ROWS, y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols) out[y * cols + x] = tile[r][c];
    }
}
