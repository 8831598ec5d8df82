// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a flat block of 1024 threads, tiles as a class template, and the dot product as a recursion of templates over 16-byte loads
LAUNCH(1024, 1, 32, 32)

template <int Rows, int Columns>
struct alignas(16) Tile {
    static_assert(Columns % 4 == 0, "rows have to begin at multiples of 16 bytes");
    float cell[Rows][Columns];

    __device__ float4 quad(int r, int q) const { return reinterpret_cast<const float4 *>(cell[r])[q]; }
};

// sum + (row r of x, from quad Q on) times (column c of y).
template <int Q, int Inner, int Rows, int Columns>
__device__ __forceinline__ float dot(const Tile<Rows, Inner> &x, const Tile<Inner, Columns> &y, int r, int c, float sum)
{
    if constexpr (Q < Inner / 4) {
        const float4 four = x.quad(r, Q);  // the same for all lanes of a warp
        sum = fmaf(four.x, y.cell[4 * Q + 0][c], sum);
        sum = fmaf(four.y, y.cell[4 * Q + 1][c], sum);
        sum = fmaf(four.z, y.cell[4 * Q + 2][c], sum);
        sum = fmaf(four.w, y.cell[4 * Q + 3][c], sum);
        return dot<Q + 1>(x, y, r, c, sum);
    } else {
        return sum;
    }
}

// A matrix that is 0 wherever it does not exist.
class Padded {
    const float *data_;
    int rows_, columns_;

public:
    __device__ Padded(const float *data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}
    __device__ float operator()(int r, int c) const { return r < rows_ && c < columns_ ? data_[(size_t)r * columns_ + c] : 0.0f; }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Tile<32, 32> x, y;

    const int q = threadIdx.x % 32, r = threadIdx.x / 32;
    const int column = blockIdx.x * 32 + q, row = blockIdx.y * 32 + r;
    const Padded from_a(a, m, k), from_b(b, k, n);

    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        x.cell[r][q] = from_a(row, k0 + q);
        y.cell[r][q] = from_b(k0 + r, column);
        __syncthreads();
        sum = dot<0>(x, y, r, q, sum);
        __syncthreads();
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
