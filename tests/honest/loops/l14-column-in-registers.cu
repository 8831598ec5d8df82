// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: 128 x 96 tiles, each thread keeps 24 rows of its column in registers and asks shared memory for its neighbours only
constexpr int W = 128, H = 96, STRIPS = 4, ROWS = H / STRIPS, STEPS = 8;
LAUNCH(W, STRIPS, W - 2 * STEPS, H - 2 * STEPS, 2 * W * H * 4, 2 * W * H * 4)

extern __shared__ float memory[];

// INNER: the whole tile is inside of the matrix, and nobody need ask.
template <bool INNER>
__device__ __forceinline__ void work(float *out, const float *in, int rows, int cols)
{
    const int c = threadIdx.x, r0 = threadIdx.y * ROWS;
    const int x = blockIdx.x * (W - 2 * STEPS) + c - STEPS;
    const int y0 = blockIdx.y * (H - 2 * STEPS) + r0 - STEPS;  // of this thread's first row
    const bool column_exists = INNER || (x >= 0 && x < cols);
    auto exists = [&](int j) { return INNER || (column_exists && y0 + j >= 0 && y0 + j < rows); };

    // The rim's missing neighbours: any number will do, since what comes of it is never kept.
    const int left = r0 * W + max(c - 1, 0), right = r0 * W + min(c + 1, W - 1), here = r0 * W + c;
    const int above = max(r0 - 1, 0) * W + c, below = min(r0 + ROWS, H - 1) * W + c;

    float v[ROWS];
#pragma unroll
    for (int j = 0; j < ROWS; j++)
        v[j] = exists(j) ? in[(size_t)(y0 + j) * cols + x] : 0.0f;
#pragma unroll
    for (int j = 0; j < ROWS; j++)
        memory[here + j * W] = v[j];
    __syncthreads();

    float *now = memory, *next = memory + W * H;
#pragma unroll 1
    for (int step = 0; step < STEPS; step++) {
        float up = now[above];
        const float last = now[below];
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            const float middle = v[j], down = j + 1 < ROWS ? v[j + 1] : last;
            const float mean = 0.25f * (up + down + now[left + j * W] + now[right + j * W]);
            v[j] = exists(j) ? mean : 0.0f;
            up = middle;
        }
        if (step + 1 < STEPS) {  // the last results go home from registers
#pragma unroll
            for (int j = 0; j < ROWS; j++)
                next[here + j * W] = v[j];
            __syncthreads();
            float *was = now;
            now = next;
            next = was;
        }
    }

    if (c >= STEPS && c < W - STEPS)
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            if (r0 + j >= STEPS && r0 + j < H - STEPS && exists(j))
                out[(size_t)(y0 + j) * cols + x] = v[j];
}

__global__ void __launch_bounds__(W *STRIPS, 2) relax(float *out, const float *in, int rows, int cols)
{
    const int x0 = blockIdx.x * (W - 2 * STEPS) - STEPS, y0 = blockIdx.y * (H - 2 * STEPS) - STEPS;
    if (x0 >= 0 && y0 >= 0 && x0 + W <= cols && y0 + H <= rows)  // the same for the whole block
        work<true>(out, in, rows, cols);
    else
        work<false>(out, in, rows, cols);
}
