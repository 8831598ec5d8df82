// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a block of 32 x 12 threads, three columns and eight rows each; what lies outside is zeroed in both tiles once and never written again; unsigned range checks
constexpr int SIDE = 96, HALO = 8, GOOD = SIDE - 2 * HALO;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(32, 12, GOOD, GOOD, BYTES, BYTES)

extern __shared__ float memory[];

__device__ __forceinline__ bool within(int v, int limit)
{
    return static_cast<unsigned>(v) < static_cast<unsigned>(limit);
}

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *const tiles[2] = {memory, memory + SIDE * SIDE};
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x0 = blockIdx.x * GOOD - HALO, y0 = blockIdx.y * GOOD - HALO;

    for (int r = ty; r < SIDE; r += 12)
#pragma unroll
        for (int c = tx; c < SIDE; c += 32) {
            const int at = r * SIDE + c;
            if (within(y0 + r, rows) && within(x0 + c, cols))
                tiles[0][at] = in[(size_t)(y0 + r) * cols + x0 + c];
            else
                tiles[0][at] = tiles[1][at] = 0.0f;
        }
    __syncthreads();

    const float *now = tiles[0];
    float *next = tiles[1];
    for (int ring = 1; ring <= HALO; ++ring) {
        for (int r = ty; r < SIDE; r += 12) {
            if (!within(y0 + r, rows) || !within(r - ring, SIDE - 2 * ring))
                continue;
#pragma unroll
            for (int c = tx; c < SIDE; c += 32) {
                if (within(x0 + c, cols) && within(c - ring, SIDE - 2 * ring)) {
                    const float *p = now + r * SIDE + c;
                    next[r * SIDE + c] = 0.25f * ((p[-SIDE] + p[SIDE]) + (p[-1] + p[1]));
                }
            }
        }
        __syncthreads();
        float *const was = next == tiles[1] ? tiles[0] : tiles[1];
        now = next;
        next = was;
    }

    // Eight steps: the result is in the first tile again.
    for (int r = HALO + ty; r < SIDE - HALO; r += 12)
#pragma unroll
        for (int c = tx; c < GOOD; c += 32)
            if (y0 + r < rows && x0 + HALO + c < cols)
                out[(size_t)(y0 + r) * cols + x0 + HALO + c] = tiles[0][r * SIDE + HALO + c];
}
