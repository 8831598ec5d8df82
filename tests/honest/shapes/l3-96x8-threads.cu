// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: blocks of 96 x 8 threads and a tile of 32 rows of 96; 24 warps take its columns in turn
constexpr int WIDE = 96, TALL = 32, ROWS_AT_ONCE = 8;
LAUNCH(WIDE, ROWS_AT_ONCE, WIDE, TALL)

__global__ void __launch_bounds__(WIDE *ROWS_AT_ONCE)
transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TALL][WIDE + 1];

    const int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * TALL;

    for (int r = threadIdx.y; r < TALL; r += ROWS_AT_ONCE)
        if (y0 + r < height && x0 + threadIdx.x < width)
            tile[r][threadIdx.x] = in[(y0 + r) * width + x0 + threadIdx.x];

    __syncthreads();

    // A row of out has 32 floats of this tile: one for each lane.
    const int id = threadIdx.y * WIDE + threadIdx.x;
    const int lane = id % 32, warps = WIDE * ROWS_AT_ONCE / 32;

    for (int c = id / 32; c < WIDE; c += warps)
        if (x0 + c < width && y0 + lane < height)
            out[(x0 + c) * height + y0 + lane] = tile[lane][c];
}
