// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: leaves out the barrier after the eighth step, but the result leaves by another order of threads than it was computed in, so that a thread stores what another warp may not have written yet
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;
        }
        if (step < 8)
            __syncthreads();  // nobody steps after the last one
        float *was = now;
        now = next;
        next = was;
    }

    constexpr int KEPT = SIDE - 16;
    for (int e = threadIdx.y * SIDE + c; e < KEPT * KEPT; e += SIDE * blockDim.y) {
        int r = e / KEPT, q = e % KEPT;
        int y = blockIdx.y * KEPT + r, column = blockIdx.x * KEPT + q;
        if (y < rows && column < cols)
            out[y * cols + column] = now[(r + 8) * SIDE + q + 8];
    }
}
