// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: rows are rotated by their number instead of XORed, CuTe-like layout functor, 16 x 16 threads renumbered
LAUNCH(16, 16, 32, 32)

// Element (r, c) of a 32 x 32 tile lies in its row, r places further to the right, round the corner.
template <unsigned SIDE>
struct RotatedLayout {
    static_assert((SIDE & (SIDE - 1)) == 0, "a power of two");
    static constexpr unsigned cosize = SIDE * SIDE;
    __device__ constexpr unsigned operator()(unsigned r, unsigned c) const { return r * SIDE | ((r + c) & (SIDE - 1)); }
};

template <class Engine, class Layout>
struct Tensor {
    Engine *engine;
    Layout layout;
    __device__ Engine &operator()(unsigned r, unsigned c) const { return engine[layout(r, c)]; }
};

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    using Layout = RotatedLayout<32>;
    __shared__ float storage[Layout::cosize];
    const Tensor<float, Layout> tile{storage, {}};

    const unsigned rank = threadIdx.y * 16 + threadIdx.x, lane = rank % 32, warp = rank / 32;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const bool lane_in = x0 + int(lane) < width, lane_out = y0 + int(lane) < height;

#pragma unroll
    for (unsigned r = warp, i = 0; i < 4; i++, r += 8)
        if (lane_in && y0 + int(r) < height)
            tile(r, lane) = in[(y0 + int(r)) * width + x0 + int(lane)];

    __syncthreads();

#pragma unroll
    for (unsigned c = warp, i = 0; i < 4; i++, c += 8)
        if (lane_out && x0 + int(c) < width)
            out[(x0 + int(c)) * height + y0 + int(lane)] = tile(lane, c);
}
