// One tile and no second: what a step computes waits in registers until all have read.
constexpr int SIDE = 88, EACH = 22;
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16)

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float now[SIDE * SIDE];
    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        float kept[EACH];
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            int r = threadIdx.y + j * 4, at = r * SIDE + c, y = y0 + r;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            kept[j] = 0.0f;
            if (inside && r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                kept[j] = 0.25f * (now[at - SIDE] + now[at + SIDE] + now[at - 1] + now[at + 1]);
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < EACH; j++)
            now[(threadIdx.y + j * 4) * SIDE + c] = kept[j];
        __syncthreads();
    }

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
