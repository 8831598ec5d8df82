// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: rows are rotated by their number, and the compiler proves by static_assert that no place and no bank is taken twice
LAUNCH(32, 8, 32, 32)

struct Rotated {
    static constexpr int side = 32;

    // The column in which element (r, c) lives.
    __host__ __device__ static constexpr int place(unsigned r, unsigned c) { return (c + r) % side; }

    // Along a row and down a column: 32 different banks each?
    static constexpr bool sound()
    {
        for (int fixed = 0; fixed < side; fixed++) {
            unsigned along = 0, down = 0;
            for (int i = 0; i < side; i++) {
                along |= 1u << place(fixed, i);
                down |= 1u << place(i, fixed);
            }
            if (along != ~0u || down != ~0u)
                return false;
        }
        return true;
    }
};
static_assert(Rotated::sound(), "two elements meet in one bank");

template <class Layout>
class Tile {
    float (&cells_)[Layout::side][Layout::side];

public:
    __device__ explicit Tile(float (&cells)[Layout::side][Layout::side]) : cells_(cells) {}
    __device__ float &operator()(int r, int c) { return cells_[r][Layout::place(r, c)]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float cells[32][32];
    Tile<Rotated> tile(cells);

    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        const int r = ty + j;
        if (y0 + r < height && x0 + tx < width)
            tile(r, tx) = in[(size_t)(y0 + r) * width + x0 + tx];
    }

    __syncthreads();

#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        const int c = ty + j;
        if (x0 + c < width && y0 + tx < height)
            out[(size_t)(x0 + c) * height + y0 + tx] = tile(tx, c);
    }
}
