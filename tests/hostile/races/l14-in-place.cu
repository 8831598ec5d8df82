// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate hazards|correct; tries: one tile, and no barrier between reading and writing
constexpr int S = 96;
LAUNCH(S, 8, S - 16, S - 16)
__global__ void relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[S][S];
    int c = threadIdx.x, x = blockIdx.x * (S - 16) + c - 8, y0 = blockIdx.y * (S - 16) - 8 + threadIdx.y;
    float mine[12];
#pragma unroll
    for (int j = 0; j < 12; j++) {
        int y = y0 + 8 * j;
        tile[threadIdx.y + 8 * j][c] = y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();
    for (int step = 1; step <= 8; step++) {
#pragma unroll
        for (int j = 0; j < 12; j++) {
            int r = threadIdx.y + 8 * j, y = y0 + 8 * j;
            bool inner = r >= step && r < S - step && c >= step && c < S - step;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            mine[j] = inner && inside ? 0.25f * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 12; j++) tile[threadIdx.y + 8 * j][c] = mine[j];
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 12; j++) {
        int r = threadIdx.y + 8 * j, y = y0 + 8 * j;
        if (r >= 8 && r < S - 8 && c >= 8 && c < S - 8 && y < rows && x < cols) out[y * cols + x] = mine[j];
    }
}
