// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: strips of 24 rows that wait only for the strips beside them, by named barriers, a thread walks down its column
constexpr int SIDE = 96, STRIPS = 4, ROWS = SIDE / STRIPS;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, STRIPS, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ __align__(16) float memory[];

// Strips p and p + 1, three warps each. Their barriers are 1, 2, 3; all even pairs meet, then the odd
// one, so nobody waits in a circle. Behind this a strip is in step with both of its neighbours.
__device__ __forceinline__ void meet_neighbours(int strip)
{
    if (strip < 2)
        asm volatile("barrier.cta.sync 1, 192;" ::: "memory");
    else
        asm volatile("barrier.cta.sync 3, 192;" ::: "memory");
    if (strip == 1 || strip == 2)
        asm volatile("barrier.cta.sync 2, 192;" ::: "memory");
}

struct Edges {
    int y0, rows;
    bool column;  // this thread's column is in the matrix
    __device__ __forceinline__ bool has(int r) const { return column && (unsigned)(y0 + r) < (unsigned)rows; }
};

// One step, and with it all that follow. Where a tile lies is known at compile time.
template <int STEP>
__device__ __forceinline__ void relax_from(int c, int strip, const Edges &edges)
{
    if constexpr (STEP <= 8) {
        const float *now = memory + (STEP % 2 ? 0 : SIDE * SIDE) + c;
        float *next = memory + (STEP % 2 ? SIDE * SIDE : 0) + c;

        if (c >= STEP && c < SIDE - STEP) {
            const int first = max(strip * ROWS, STEP), last = min(strip * ROWS + ROWS, SIDE - STEP);
            float above = now[(first - 1) * SIDE], here = now[first * SIDE];
#pragma unroll 4
            for (int r = first; r < last; r++) {
                const float below = now[(r + 1) * SIDE];
                const float mean = 0.25f * (above + below + now[r * SIDE - 1] + now[r * SIDE + 1]);
                next[r * SIDE] = edges.has(r) ? mean : 0.0f;
                above = here;
                here = below;
            }
        }
        meet_neighbours(strip);
        relax_from<STEP + 1>(c, strip, edges);
    }
}

__global__ void __launch_bounds__(SIDE * STRIPS) relax(float *out, const float *in, int rows, int cols)
{
    const int c = threadIdx.x, strip = threadIdx.y;
    const int x = (int)blockIdx.x * (SIDE - 16) + c - 8, y0 = (int)blockIdx.y * (SIDE - 16) - 8;
    const Edges edges = {y0, rows, (unsigned)x < (unsigned)cols};

#pragma unroll 8
    for (int r = strip * ROWS; r < strip * ROWS + ROWS; r++)
        memory[r * SIDE + c] = edges.has(r) ? in[(y0 + r) * cols + x] : 0.0f;
    meet_neighbours(strip);

    relax_from<1>(c, strip, edges);

    // Eight steps: the last one wrote to the first tile. Each thread wrote what it stores itself.
    if (c >= 8 && c < SIDE - 8) {
        const int first = max(strip * ROWS, 8), last = min(strip * ROWS + ROWS, SIDE - 8);
#pragma unroll 4
        for (int r = first; r < last; r++)
            if (edges.has(r))
                out[(y0 + r) * cols + x] = memory[r * SIDE + c];
    }
}
