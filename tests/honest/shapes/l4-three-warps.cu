// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: 96 threads: three warps share 32 rows, the last one has ten of them and the others eleven
LAUNCH(96, 1, 32, 32)

namespace {

constexpr int side = 32, warps = 3, most = (side + warps - 1) / warps;

// Every third row, from `warp` on, for which f is wanted.
template <class F>
__device__ __forceinline__ void each_row_of(int warp, int rows, F &&f)
{
#pragma unroll
    for (int turn = 0; turn < most; turn++)
        if (int r = warp + turn * warps; r < rows)
            f(r);
}

}  // namespace

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[side][side + 1];

    const int lane = threadIdx.x % side, warp = threadIdx.x / side;
    const int x0 = blockIdx.x * side, y0 = blockIdx.y * side;
    const int columns = min(side, width - x0), rows = min(side, height - y0);

    if (lane < columns)
        each_row_of(warp, rows, [&, from = in + (size_t)y0 * width + x0 + lane](int r) {
            tile[r][lane] = from[(size_t)r * width];
        });

    __syncthreads();

    if (lane < rows)
        each_row_of(warp, columns, [&, to = out + (size_t)x0 * height + y0 + lane](int c) {
            to[(size_t)c * height] = tile[lane][c];
        });
}
