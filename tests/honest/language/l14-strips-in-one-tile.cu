// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: one tile of 128 x 128, 64 KB, relaxed in place: each thread keeps 32 new values in registers until all have read
constexpr int SIDE = 128, RIM = 8, KEPT = SIDE - 2 * RIM;
constexpr int BANDS = 4, ROWS = SIDE / BANDS;  // a thread has 32 rows of one column
constexpr int BYTES = SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, BANDS, KEPT, KEPT, BYTES, BYTES)

extern __shared__ float tile[];

__global__ void __launch_bounds__(SIDE * BANDS, 2) relax(float *out, const float *in, int rows, int cols)
{
    const int c = threadIdx.x, r0 = threadIdx.y * ROWS;
    const int x = blockIdx.x * KEPT + c - RIM, y0 = blockIdx.y * KEPT + r0 - RIM;
    const bool column = x >= 0 && x < cols;
    float *const mine = tile + r0 * SIDE + c;

#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int y = y0 + j;
        mine[j * SIDE] = column && y >= 0 && y < rows ? in[(size_t)y * cols + x] : 0.0f;
    }
    __syncthreads();

#pragma unroll 1
    for (int step = 1; step <= RIM; step++) {
        // Rows and columns of the rim are left as they are; who needs them has been told already.
        const bool here = c >= step && c < SIDE - step;
        float fresh[ROWS];

        if (here) {
            float above = r0 > 0 ? mine[-SIDE] : 0.0f, middle = mine[0];
#pragma unroll
            for (int j = 0; j < ROWS; j++) {
                const int r = r0 + j, y = y0 + j;
                const float below = r + 1 < SIDE ? mine[(j + 1) * SIDE] : 0.0f;
                const float mean = 0.25f * (above + below + mine[j * SIDE - 1] + mine[j * SIDE + 1]);
                fresh[j] = column && y >= 0 && y < rows ? mean : 0.0f;
                above = middle;
                middle = below;
            }
        }
        __syncthreads();  // all have read

        if (here) {
#pragma unroll
            for (int j = 0; j < ROWS; j++)
                if (r0 + j >= step && r0 + j < SIDE - step)
                    mine[j * SIDE] = fresh[j];
        }
        __syncthreads();  // all have written
    }

    if (c >= RIM && c < SIDE - RIM && x < cols)
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            if (const int r = r0 + j, y = y0 + j; r >= RIM && r < SIDE - RIM && y < rows)
                out[(size_t)y * cols + x] = mine[j * SIDE];
}
