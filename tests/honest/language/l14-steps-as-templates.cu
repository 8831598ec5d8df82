// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tiles of 104 x 104; step S is a template that calls step S + 1 with the tiles exchanged
constexpr int SIDE = 104, STEPS = 8, KEPT = SIDE - 2 * STEPS, DOWN = 6;
LAUNCH(SIDE, DOWN, KEPT, KEPT, 86528, 86528)
static_assert(2 * SIDE * SIDE * sizeof(float) == 86528, "two tiles");

// Where the tile lies, and what of it is inside of the matrix: rows [top, bottom), columns [left, right).
struct Place {
    int top, bottom, left, right;
    __device__ bool has(int r, int c) const { return r >= top && r < bottom && c >= left && c < right; }
};

template <int STEP>
struct Relaxation {
    static __device__ __forceinline__ void run(const Place &place, const float *from, float *to)
    {
        const int c = threadIdx.x;
#pragma unroll 4
        for (int r = STEP + (int)threadIdx.y; r < SIDE - STEP; r += DOWN) {
            const float *at = from + r * SIDE + c;
            if (c >= STEP && c < SIDE - STEP)
                to[r * SIDE + c] = place.has(r, c) ? 0.25f * (at[-SIDE] + at[SIDE] + at[-1] + at[1]) : 0.0f;
        }
        __syncthreads();
        Relaxation<STEP + 1>::run(place, to, const_cast<float *>(from));
    }
};

// Behind the last step `from` holds the result, whichever of the two tiles that is.
template <>
struct Relaxation<STEPS + 1> {
    static __device__ __forceinline__ void run(const Place &, const float *, float *) {}
};

extern __shared__ float tiles[];

__global__ void __launch_bounds__(SIDE *DOWN) relax(float *out, const float *in, int rows, int cols)
{
    const int c = threadIdx.x;
    const int x0 = (int)blockIdx.x * KEPT - STEPS, y0 = (int)blockIdx.y * KEPT - STEPS;
    const Place place = {-y0, rows - y0, -x0, cols - x0};

    for (int r = threadIdx.y; r < SIDE; r += DOWN)
        tiles[r * SIDE + c] = place.has(r, c) ? in[(y0 + r) * cols + x0 + c] : 0.0f;
    __syncthreads();

    Relaxation<1>::run(place, tiles, tiles + SIDE * SIDE);

    static_assert(STEPS % 2 == 0, "an even number of steps ends where it began");
    for (int r = STEPS + (int)threadIdx.y; r < SIDE - STEPS; r += DOWN)
        if (c >= STEPS && c < SIDE - STEPS && place.has(r, c))
            out[(y0 + r) * cols + x0 + c] = tiles[r * SIDE + c];
}
