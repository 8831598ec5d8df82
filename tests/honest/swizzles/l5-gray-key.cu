// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: XOR with the Gray code of the row, tile type with its own operator(), flat block of 128 threads, eight loads ahead
LAUNCH(128, 1, 32, 32)

// Element (r, c) is kept in column c ^ gray(r). r -> r ^ r / 2 is one to one on 0 … 31, so a column
// meets all banks, and for a fixed r so is c -> c ^ key, so a row keeps all of its elements.
struct Tile {
    float word[32 * 32];
    static __device__ constexpr unsigned at(unsigned r, unsigned c) { return r * 32 + (c ^ r ^ (r >> 1)); }
    __device__ float &operator()(unsigned r, unsigned c) { return word[at(r, c)]; }
};
static_assert(sizeof(Tile) == 4096, "not a byte of padding");

__global__ void __launch_bounds__(128) transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile tile;
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned w = width, h = height;
    const unsigned x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    float held[8];
    const float *from = in + (size_t)(y0 + warp) * w + x0 + lane;
    const unsigned rows = h - y0 < 32 ? h - y0 : 32, columns = w - x0 < 32 ? w - x0 : 32;
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        held[j] = lane < columns && warp + 4 * j < rows ? __ldg(from + (size_t)(4 * j) * w) : 0.0f;
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        tile(warp + 4 * j, lane) = held[j];

    asm volatile("bar.sync 0, 128;" ::: "memory");

    float *to = out + (size_t)(x0 + warp) * h + y0 + lane;
    const bool mine = lane < rows;
#pragma unroll
    for (unsigned j = 0; j < 8; j++, to += (size_t)4 * h)
        if (mine && warp + 4 * j < columns)
            *to = tile(lane, warp + 4 * j);
}
