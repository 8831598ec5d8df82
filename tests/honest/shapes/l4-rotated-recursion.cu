// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a template metaprogrammer: rotated columns in place of padding, unrolled by recursive templates and functors
LAUNCH(32, 8, 32, 32)

template <int First, int End, int Step>
struct For {
    template <typename F>
    __device__ __forceinline__ static void each(F &&f)
    {
        if constexpr (First < End) {
            f(First);
            For<First + Step, End, Step>::each(static_cast<F &&>(f));
        }
    }
};

enum class Side { in, out };

template <Side S>
struct Window {
    int x, y, columns, rows;
    __device__ Window(int width, int height)
        : x(32 * (S == Side::in ? blockIdx.x : blockIdx.y)), y(32 * (S == Side::in ? blockIdx.y : blockIdx.x)),
          columns(S == Side::in ? width : height), rows(S == Side::in ? height : width)
    {
    }
    __device__ bool has(int c, int r) const { return x + c < columns && y + r < rows; }
    __device__ size_t operator()(int c, int r) const { return (size_t)(y + r) * columns + (x + c); }
};

// Element (r, c) stands r places further right than it should, around the corner.
__device__ constexpr int place(int r, int c) { return r * 32 + ((c + r) & 31); }
static_assert(32 * 32 * sizeof(float) <= 4224, "fits");

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y;

    const Window<Side::in> source(width, height);
    For<0, 32, 8>::each([&](int j) {
        const int r = ty + j;
        if (source.has(tx, r))
            tile[place(r, tx)] = in[source(tx, r)];
    });
    __syncthreads();
    const Window<Side::out> target(width, height);
    For<0, 32, 8>::each([&](int j) {
        const int r = ty + j;
        if (target.has(tx, r))
            out[target(tx, r)] = tile[place(tx, r)];
    });
}
