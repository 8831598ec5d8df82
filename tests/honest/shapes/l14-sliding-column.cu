// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tiles of 96 x 112, each thread slides down 14 rows of its column with three words in registers, the eighth step goes straight to out
constexpr int WIDE = 96, HIGH = 112, STRIP = 14, HALO = 8;
constexpr int BYTES = 2 * WIDE * HIGH * (int)sizeof(float);
LAUNCH(WIDE, HIGH / STRIP, WIDE - 2 * HALO, HIGH - 2 * HALO, BYTES, BYTES)

extern __shared__ float memory[];

struct Place {
    int c, x;             // the thread's column, in the tile and in the matrix
    int top, y0;          // its first row in the tile; where the tile's row 0 lies in the matrix
    int rows, cols;

    __device__ bool has(int r) const { return x >= 0 && x < cols && y0 + r >= 0 && y0 + r < rows; }
};

// One step. `keep(r, value)` takes what row r of the thread's column becomes.
template <typename Keep>
__device__ __forceinline__ void sweep(const Place &me, const float *now, int step, Keep &&keep)
{
    if (me.c < step || me.c >= WIDE - step)
        return;
    const int begin = max(me.top, step), end = min(me.top + STRIP, HIGH - step);
    const float *at = now + begin * WIDE + me.c;
    float above = at[-WIDE], here = at[0];
    for (int r = begin; r < end; ++r, at += WIDE) {
        const float below = at[WIDE];
        const float mean = 0.25f * ((above + below) + (at[-1] + at[1]));
        keep(r, me.has(r) ? mean : 0.0f);
        above = here;
        here = below;
    }
}

__global__ void __launch_bounds__(WIDE * (HIGH / STRIP)) relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + WIDE * HIGH;

    Place me;
    me.c = threadIdx.x;
    me.x = (int)blockIdx.x * (WIDE - 2 * HALO) - HALO + me.c;
    me.top = threadIdx.y * STRIP;
    me.y0 = (int)blockIdx.y * (HIGH - 2 * HALO) - HALO;
    me.rows = rows;
    me.cols = cols;

#pragma unroll
    for (int j = 0; j < STRIP; ++j) {
        const int r = me.top + j;
        now[r * WIDE + me.c] = me.has(r) ? in[(size_t)(me.y0 + r) * cols + me.x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step < 8; ++step) {
        sweep(me, now, step, [&](int r, float value) { next[r * WIDE + me.c] = value; });
        __syncthreads();
        float *const was = now;
        now = next;
        next = was;
    }
    sweep(me, now, 8, [&](int r, float value) {
        if (me.has(r))
            out[(size_t)(me.y0 + r) * cols + me.x] = value;
    });
}
