// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: two boards of 96 x 96 as objects that swap; a thread walks down twelve rows of its column
constexpr int SIDE = 96, HALO = 8, GOOD = SIDE - 2 * HALO, THREADS_Y = 8, STRIP = SIDE / THREADS_Y;
LAUNCH(SIDE, THREADS_Y, GOOD, GOOD, 73728, 73728)
static_assert(2 * SIDE * SIDE * sizeof(float) == 73728, "two boards");

extern __shared__ float pool[];

class Board {
    float *cells;

public:
    __device__ explicit Board(float *where) : cells(where) {}
    __device__ float &operator()(int r, int c) const { return cells[r * SIDE + c]; }
    friend __device__ void swap(Board &x, Board &y)
    {
        float *was = x.cells;
        x.cells = y.cells;
        y.cells = was;
    }
};

__global__ void __launch_bounds__(SIDE *THREADS_Y) relax(float *out, const float *in, int rows, int cols)
{
    Board now(pool), next(pool + SIDE * SIDE);

    const int c = threadIdx.x, top = threadIdx.y * STRIP;
    const int x = (int)blockIdx.x * GOOD + c - HALO, y0 = (int)blockIdx.y * GOOD - HALO;
    const bool in_columns = x >= 0 && x < cols;

    for (int r = threadIdx.y; r < SIDE; r += THREADS_Y) {
        const int y = y0 + r;
        now(r, c) = in_columns && y >= 0 && y < rows ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= HALO; step++) {
        const int from = max(top, step), past = min(top + STRIP, SIDE - step);
        if (c >= step && c < SIDE - step && from < past) {
            float above = now(from - 1, c), here = now(from, c);
            for (int r = from; r < past; r++) {
                const float below = now(r + 1, c);
                const int y = y0 + r;
                const float mean = 0.25f * ((above + below) + (now(r, c - 1) + now(r, c + 1)));
                next(r, c) = in_columns && y >= 0 && y < rows ? mean : 0.0f;
                above = here;
                here = below;
            }
        }
        __syncthreads();
        swap(now, next);
    }

    if (c < HALO || c >= SIDE - HALO || !in_columns)
        return;
    for (int r = HALO + threadIdx.y; r < SIDE - HALO && y0 + r < rows; r += THREADS_Y)
        out[(y0 + r) * cols + x] = now(r, c);
}
