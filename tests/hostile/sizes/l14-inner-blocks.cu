// lesson 14; device sim,gpu; nvcc,clang; want: fail|timeout; tries: blocks that are not in the first or last row or column of the grid ask no questions, but where the last column (or row) of blocks has fewer than 8 elements the halo of those before it passes the edge: wrong for e.g. rows = 150, cols = 146 (cols % 72 in 1 to 7 and 3 or more blocks each way).
constexpr int SIDE = 88;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 8, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    // Only blocks at the rim of the grid see anything outside of the matrix.
    bool inner = blockIdx.x > 0 && blockIdx.x + 1 < gridDim.x && blockIdx.y > 0 && blockIdx.y + 1 < gridDim.y;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = inner || (y >= 0 && y < rows && x >= 0 && x < cols);
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = inner || (y >= 0 && y < rows && x >= 0 && x < cols);
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && (inner || (y < rows && x < cols)))
            out[y * cols + x] = now[r * SIDE + c];
    }
}
