// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a thread has two columns as float2 and walks down twelve rows; two tiles of 96 x 96 in one array, chosen by an index bit
constexpr int SIDE = 96, PAIRS = SIDE / 2, BANDS = 8, ROWS = SIDE / BANDS, KEEP = SIDE - 16;
constexpr int BYTES = 2 * SIDE * SIDE * (int)sizeof(float);
LAUNCH(PAIRS, BANDS, KEEP, KEEP, BYTES, BYTES)

__global__ void __launch_bounds__(PAIRS * BANDS) relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float2 tiles[];  // [2][SIDE][PAIRS]
    const int x0 = blockIdx.x * KEEP - 8, y0 = blockIdx.y * KEEP - 8;

    // In and out go by single columns: 384 threads are four rows of 96.
    const int id = threadIdx.y * PAIRS + threadIdx.x, c = id % SIDE, x = x0 + c;
    float *const words = (float *)tiles;
#pragma unroll 4
    for (int r = id / SIDE; r < SIDE; r += 4) {
        const int y = y0 + r;
        words[r * SIDE + c] = x >= 0 && x < cols && y >= 0 && y < rows ? in[(size_t)y * cols + x] : 0.0f;
    }
    __syncthreads();

    const int p = threadIdx.x, r0 = threadIdx.y * ROWS;
    const int left = max(p - 1, 0) - p, right = min(p + 1, PAIRS - 1) - p;  // of the rim's pairs one column is never needed
    const bool has_x = x0 + 2 * p >= 0 && x0 + 2 * p < cols, has_y = x0 + 2 * p + 1 >= 0 && x0 + 2 * p + 1 < cols;

    for (int step = 1, from = 0; step <= 8; step++, from ^= 1) {
        // Rows of this thread that are still wanted. Columns: both of a pair, or none.
        const int first = max(r0, step), last = min(r0 + ROWS, SIDE - step);
        if (2 * p + 1 >= step && 2 * p < SIDE - step && first < last) {
            const float2 *at = tiles + from * (SIDE * PAIRS) + first * PAIRS + p;
            float2 *to = tiles + (from ^ 1) * (SIDE * PAIRS) + first * PAIRS + p;
            float2 above = at[-PAIRS], middle = at[0];
#pragma unroll 4
            for (int r = first; r < last; r++, at += PAIRS, to += PAIRS) {
                const float2 below = at[PAIRS];
                const bool row = y0 + r >= 0 && y0 + r < rows;
                float2 mean;
                mean.x = row && has_x ? 0.25f * (above.x + below.x + at[left].y + middle.y) : 0.0f;
                mean.y = row && has_y ? 0.25f * (above.y + below.y + middle.x + at[right].x) : 0.0f;
                *to = mean;
                above = middle;
                middle = below;
            }
        }
        __syncthreads();
    }

    // After eight steps the result is in the first tile again.
    if (c >= 8 && c < SIDE - 8 && x < cols)
        for (int r = 8 + id / SIDE; r < SIDE - 8 && y0 + r < rows; r += 4)
            out[(size_t)(y0 + r) * cols + x] = words[r * SIDE + c];
}
