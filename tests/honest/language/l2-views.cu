// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a view of a matrix with an operator, 64-bit indices
LAUNCH(32, 32, 32, 32)

template <typename T> struct view {
    T *data;
    size_t pitch;
    __device__ T &operator()(size_t row, size_t column) const { return data[row * pitch + column]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    view<float> to{out, (size_t)height};
    view<const float> from{in, (size_t)width};
    size_t column = blockIdx.x * 32ull + threadIdx.y, row = blockIdx.y * 32ull + threadIdx.x;
    if (row < height && column < width)
        to(column, row) = from(row, column);
}
