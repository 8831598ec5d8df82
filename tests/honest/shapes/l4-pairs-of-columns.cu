// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: tiles of 64 x 16 kept as 32 rows of 33 words, two columns in a row; a constexpr proof that no access conflicts
LAUNCH(256, 1, 64, 16)

// Element (r, c) of a tile of 16 rows and 64 columns: columns 2 p and 2 p + 1 share row p of 33 words.
struct Layout {
    static constexpr int WORDS = 32 * 33;
    static __host__ __device__ constexpr int word(int r, int c) { return (c >> 1) * 33 + (c & 1) * 16 + r; }

    // What element e is, counted along the rows of in, and along the rows of out.
    static __host__ __device__ constexpr int word_going_in(int e) { return word(e / 64, e % 64); }
    static __host__ __device__ constexpr int word_going_out(int e) { return word(e % 16, e / 16); }

    static constexpr bool free_of_conflicts()
    {
        for (int warp = 0; warp < 32; ++warp) {
            unsigned in = 0, out = 0;
            for (int lane = 0; lane < 32; ++lane) {
                in |= 1u << word_going_in(warp * 32 + lane) % 32;
                out |= 1u << word_going_out(warp * 32 + lane) % 32;
            }
            if (in != ~0u || out != ~0u)
                return false;
        }
        return true;
    }
};
static_assert(Layout::free_of_conflicts(), "32 lanes, 32 banks, both ways");
static_assert(Layout::WORDS * sizeof(float) <= 4224, "as much as the page allows");

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[Layout::WORDS];

    const int t = threadIdx.x, x0 = blockIdx.x * 64, y0 = blockIdx.y * 16;

    float hand[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int e = t + j * 256, row = y0 + e / 64, column = x0 + e % 64;
        hand[j] = row < height && column < width ? in[row * width + column] : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
        tile[Layout::word_going_in(t + j * 256)] = hand[j];

    __syncthreads();

#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int e = t + j * 256, row = x0 + e / 16, column = y0 + e % 16;  // of out
        if (row < width && column < height)
            out[row * height + column] = tile[Layout::word_going_out(e)];
    }
}
