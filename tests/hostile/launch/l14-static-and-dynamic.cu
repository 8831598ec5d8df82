// lesson 14; device sim,gpu; nvcc,clang; want: fail|launch-error; tries: 170 x 170 tiles take 231200 bytes of dynamic shared memory, and the two static arrays 1360 more: 232560 bytes are above the 232448 that a block of an H200 can have, so the launch fails on every GPU
constexpr int SIDE = 170;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);  // 231200, below 227 KB
LAUNCH(SIDE, 6, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    // What each row and column of the tile counts: 0 outside of the matrix.
    __shared__ float row_counts[SIDE], column_counts[SIDE];
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    if (threadIdx.y == 0) {
        row_counts[c] = y0 + c >= 0 && y0 + c < rows ? 0.25f : 0.0f;
        column_counts[c] = x >= 0 && x < cols ? 1.0f : 0.0f;
    }
    for (int r = threadIdx.y; r < SIDE; r += 6) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    __syncthreads();

    float counts = column_counts[c];
    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += 6) {
            int at = r * SIDE + c;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = row_counts[r] * counts * (now[at - SIDE] + now[at + SIDE] +
                                                     now[at - 1] + now[at + 1]);  // @step
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += 6) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
