// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a block of 8 x 32 threads whose flat number is split by structured bindings into lane and warp, so that warps still have whole rows; the tile is a CRTP layout with pitch 33
LAUNCH(8, 32, 32, 32)

template <class Derived>
struct Layout {
    __device__ float &operator()(int r, int c)
    {
        auto &self = static_cast<Derived &>(*this);
        return self.words[Derived::offset(r, c)];
    }
};
struct Padded : Layout<Padded> {
    float words[32 * 33];
    static __device__ constexpr int offset(int r, int c) { return r * 33 + c; }
};

struct Role { int lane, warp; };
__device__ __forceinline__ Role role()
{
    const int flat = threadIdx.y * 8 + threadIdx.x;
    return {flat & 31, flat >> 5};
}

template <class F> __device__ __forceinline__ void four_rows(int first, F &&f)
{
#pragma unroll
    for (int j = 0; j < 4; ++j)
        f(first + 8 * j);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Padded tile;
    const auto [lane_, warp] = role();
    const int lane = lane_;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    four_rows(warp, [&](int r) {
        if (y0 + r < height && x0 + lane < width)
            tile(r, lane) = in[(y0 + r) * width + x0 + lane];
    });
    __syncthreads();
    four_rows(warp, [&](int c) {
        if (x0 + c < width && y0 + lane < height)
            out[(x0 + c) * height + y0 + lane] = tile(lane, c);
    });
}
