// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: matrix views with a layout as template argument: out is seen column by column; a block of one dimension
LAUNCH(1024, 1, 32, 32)

enum class Order { rows, columns };

template <typename T, Order order>
class MatrixView {
public:
    __device__ MatrixView(T *data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}

    __device__ T &operator()(int r, int c) const
    {
        if constexpr (order == Order::rows)
            return data_[static_cast<long long>(r) * columns_ + c];
        else
            return data_[static_cast<long long>(c) * rows_ + r];
    }

    __device__ bool has(int r, int c) const { return r < rows_ && c < columns_; }

private:
    T *data_;
    int rows_, columns_;
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // The transposed of a matrix is the matrix, stored the other way round. So both views
    // have the same rows and columns, and the work is a plain assignment.
    const MatrixView<const float, Order::rows> from(in, height, width);
    const MatrixView<float, Order::columns> to(out, height, width);

    // Lanes of a warp go down a column: there `to` has its neighbours.
    const unsigned t = threadIdx.x;
    const int r = blockIdx.y * 32 + (t & 31u);
    const int c = blockIdx.x * 32 + (t >> 5);

    if (to.has(r, c))
        to(r, c) = from(r, c);
}
