// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: rows and columns are types of their own, with user-defined literals and only legal sums
LAUNCH(32, 8, 32, 32)

template <typename Tag>
struct Count {
    int n;
    __host__ __device__ constexpr explicit Count(int n) : n(n) {}
    __host__ __device__ constexpr Count operator+(Count o) const { return Count(n + o.n); }
    __host__ __device__ constexpr Count operator*(int k) const { return Count(n * k); }
    __host__ __device__ constexpr bool operator<(Count o) const { return n < o.n; }
    __host__ __device__ Count &operator+=(Count o)
    {
        n += o.n;
        return *this;
    }
};
using Row = Count<struct row_tag>;
using Column = Count<struct column_tag>;

constexpr Row operator""_rows(unsigned long long n) { return Row((int)n); }
constexpr Column operator""_columns(unsigned long long n) { return Column((int)n); }

__device__ constexpr Row TALL = 32_rows;
__device__ constexpr Column WIDE = 32_columns, PITCH = 33_columns;
__device__ constexpr Row STEP = 8_rows;

// A matrix of some columns: a row first, then a column, and nothing else compiles.
template <typename T>
struct Matrix {
    T *at;
    Row rows;
    Column columns;
    __device__ bool has(Row r, Column c) const { return r < rows && c < columns; }
    __device__ T &operator()(Row r, Column c) const { return at[r.n * columns.n + c.n]; }
};

// What was a row becomes a column.
__device__ Column turned(Row r) { return Column(r.n); }
__device__ Row turned(Column c) { return Row(c.n); }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float memory[TALL.n * PITCH.n];
    Matrix<float> tile{memory, TALL, PITCH}, to{out, Row(width), Column(height)};
    Matrix<const float> from{in, Row(height), Column(width)};

    Row top = TALL * (int)blockIdx.y;
    Column left = WIDE * (int)blockIdx.x;
    Column x((int)threadIdx.x);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        Row y = Row((int)threadIdx.y) + STEP * j;
        if (from.has(top + y, left + x))
            tile(y, x) = from(top + y, left + x);
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; j++) {
        Row y = Row((int)threadIdx.y) + STEP * j;
        if (to.has(turned(left) + y, turned(top) + x))
            to(turned(left) + y, turned(top) + x) = tile(turned(x), turned(y));
    }
}
