// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: boards indexed from -8 to 87 by type, steps are a template that calls itself with places swapped
constexpr int HALO = 8, INNER = 80, SIDE = INNER + 2 * HALO, THREAD_ROWS = 6;
constexpr int BOARD_BYTES = SIDE * SIDE * (int)sizeof(float);
LAUNCH(SIDE, THREAD_ROWS, INNER, INNER, 2 * BOARD_BYTES, 2 * BOARD_BYTES)

// As in Fortran: real board(-8:87, -8:87). The inner part begins at 0.
template <int FIRST, int LAST>
struct Board {
    static constexpr int wide = LAST - FIRST + 1;
    float *corner;
    __device__ float &operator()(int r, int c) const { return corner[(r - FIRST) * wide + (c - FIRST)]; }
};
using Tile = Board<-HALO, INNER + HALO - 1>;
static_assert(Tile::wide == SIDE, "");

struct Matrix {
    int rows, cols, y0, x0;
    __device__ bool holds(int r, int c) const
    {
        return (unsigned)(y0 + r) < (unsigned)rows && (unsigned)(x0 + c) < (unsigned)cols;
    }
};

__device__ __forceinline__ void meet() { asm volatile("barrier.cta.sync 0;" ::: "memory"); }

template <int STEP>
__device__ __forceinline__ void relax_from(Tile now, Tile next, const Matrix &matrix, float *out)
{
    int c = (int)threadIdx.x - HALO;
    if constexpr (STEP > 8) {
        if (c >= 0 && c < INNER)
            for (int r = threadIdx.y; r < INNER; r += THREAD_ROWS)
                if (matrix.holds(r, c))
                    out[(matrix.y0 + r) * matrix.cols + matrix.x0 + c] = now(r, c);
    } else {
        constexpr int LOW = STEP - HALO, HIGH = INNER + HALO - STEP;  // what this step can still know
        for (int r = (int)threadIdx.y - HALO; r < HIGH; r += THREAD_ROWS)
            if (r >= LOW && c >= LOW && c < HIGH)
                next(r, c) = matrix.holds(r, c)
                                 ? 0.25f * (now(r - 1, c) + now(r + 1, c) + now(r, c - 1) + now(r, c + 1))
                                 : 0.0f;
        meet();
        relax_from<STEP + 1>(next, now, matrix, out);
    }
}

__global__ void __launch_bounds__(SIDE * THREAD_ROWS)
relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ __align__(16) float memory[];
    Tile first{memory}, second{memory + SIDE * SIDE};
    Matrix matrix{rows, cols, (int)blockIdx.y * INNER, (int)blockIdx.x * INNER};

    int c = (int)threadIdx.x - HALO;
#pragma unroll 4
    for (int r = (int)threadIdx.y - HALO; r < INNER + HALO; r += THREAD_ROWS)
        first(r, c) = matrix.holds(r, c) ? in[(matrix.y0 + r) * cols + matrix.x0 + c] : 0.0f;
    meet();
    relax_from<1>(first, second, matrix, out);
}
