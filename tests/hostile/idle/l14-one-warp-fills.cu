// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: one warp of 24 fills the tile
constexpr int S = 96;
LAUNCH(S, 8, S - 16, S - 16)
__global__ void relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[S][S];
    int c = threadIdx.x, x = blockIdx.x * (S - 16) + c - 8, y0 = blockIdx.y * (S - 16) - 8 + threadIdx.y;
    float mine[12];
    if (threadIdx.y == 0 && c < 32)
        for (int e = c; e < S * S; e += 32) {
            int y = y0 + e / S, xx = x - c + e % S;
            tile[e / S][e % S] = y >= 0 && y < rows && xx >= 0 && xx < cols ? in[y * cols + xx] : 0.0f;
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
        __syncthreads();  // all have read
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
