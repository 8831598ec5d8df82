// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a flat array of 1055 floats behind a functor that adds the row to the index, 128 threads in one dimension, loops that count down
LAUNCH(128, 1, 32, 32)

template <int N>
struct Skewed {
    static constexpr int SIZE = (N - 1) * (N + 1) + N;  // no padding behind the last row
    float *base;
    __device__ float &operator()(int r, int c) const { return base[r * N + c + r]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    using Tile = Skewed<32>;
    __shared__ float words[Tile::SIZE];
    const Tile tile{words};

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const int cols = min(32, width - x0), rows = min(32, height - y0);

#pragma unroll
    for (int r = 28 + warp; r >= 0; r -= 4)
        if (r < rows && lane < cols)
            tile(r, lane) = in[(y0 + r) * width + x0 + lane];

    __syncthreads();

#pragma unroll
    for (int c = 28 + warp; c >= 0; c -= 4)
        if (c < cols && lane < rows)
            out[(x0 + c) * height + y0 + lane] = tile(lane, c);
}
