// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a tile of 64 x 160, of which the last row of blocks needs little
constexpr int WIDE = 64, TALL = 160, RIM = 8;
constexpr int BYTES = 2 * WIDE * TALL * sizeof(float);
LAUNCH(WIDE, 8, WIDE - 2 * RIM, TALL - 2 * RIM, BYTES, BYTES)

class Tile {
public:
    __device__ explicit Tile(float *start) : start(start) {}
    __device__ float &operator()(int r, int c) const { return start[r * WIDE + c]; }

private:
    float *start;
};

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float memory[];
    Tile now(memory), next(memory + WIDE * TALL);

    const int c = threadIdx.x, left = blockIdx.x * (WIDE - 2 * RIM) - RIM, top = blockIdx.y * (TALL - 2 * RIM) - RIM;
    const int x = left + c;
    const bool column_exists = (unsigned)x < (unsigned)cols;  // a negative number is a very large one

    for (int r = threadIdx.y; r < TALL; r += 8)
        now(r, c) = column_exists && (unsigned)(top + r) < (unsigned)rows ? in[(top + r) * cols + x] : 0.0f;
    __syncthreads();

    for (int ring = 1; ring <= RIM; ring++) {
        const bool fresh = c >= ring && c < WIDE - ring;
        for (int r = threadIdx.y; r < TALL; r += 8) {
            if (!fresh || r < ring || r >= TALL - ring)
                continue;
            float mean = 0.25f * (now(r - 1, c) + now(r + 1, c) + now(r, c - 1) + now(r, c + 1));
            next(r, c) = column_exists && (unsigned)(top + r) < (unsigned)rows ? mean : 0.0f;
        }
        __syncthreads();
        Tile was = now;
        now = next;
        next = was;
    }

    if (c < RIM || c >= WIDE - RIM || x >= cols)
        return;
    for (int r = RIM + threadIdx.y; r < TALL - RIM && top + r < rows; r += 8)
        out[(top + r) * cols + x] = now(r, c);
}
