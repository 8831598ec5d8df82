// lesson 14; device sim,gpu; nvcc,clang; want: fail; tries: only first and last blocks keep the outside at 0 in every step, where the last block has 1 to 7 columns or rows, the halo of the one before it is outside too, and warms up
constexpr int SIDE = 96;
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, SIDE * SIDE * 8, SIDE * SIDE * 8)

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float memory[];
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;
    // blocks inside of the matrix need no checks
    bool rim = blockIdx.x == 0 || blockIdx.y == 0 || blockIdx.x == gridDim.x - 1 || blockIdx.y == gridDim.y - 1;

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += 4) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = !rim || (y >= 0 && y < rows && x >= 0 && x < cols);
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
