// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: the sums are a quadtree: a square of four squares, down to one float
LAUNCH(16, 16, 64, 64)

// N x N sums. The recursion is over by the time the code runs: what is left is N * N registers.
template <int N>
struct Square {
    Square<N / 2> upper_left, upper_right, lower_left, lower_right;

    // The outer product of a column of N and a row of N.
    __device__ __forceinline__ void add(const float *column, const float *row)
    {
        upper_left.add(column, row);
        upper_right.add(column, row + N / 2);
        lower_left.add(column + N / 2, row);
        lower_right.add(column + N / 2, row + N / 2);
    }

    template <class Visitor>
    __device__ __forceinline__ void visit(int r, int q, const Visitor &visitor) const
    {
        upper_left.visit(r, q, visitor);
        upper_right.visit(r, q + N / 2, visitor);
        lower_left.visit(r + N / 2, q, visitor);
        lower_right.visit(r + N / 2, q + N / 2, visitor);
    }
};

template <>
struct Square<1> {
    float sum = 0.0f;
    __device__ __forceinline__ void add(const float *column, const float *row) { sum += *column * *row; }
    template <class Visitor>
    __device__ __forceinline__ void visit(int r, int q, const Visitor &visitor) const { visitor(r, q, sum); }
};

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16], b_tile[16][64];

    const int id = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    const int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    Square<4> sums;

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int e = id; e < 1024; e += 256) {
            const int r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll
        for (int e = id; e < 1024; e += 256) {
            const int i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            const float column[4] = {a_tile[r0][i], a_tile[r0 + 1][i], a_tile[r0 + 2][i], a_tile[r0 + 3][i]};
            const float4 four = *reinterpret_cast<const float4 *>(&b_tile[i][q0]);
            const float row[4] = {four.x, four.y, four.z, four.w};
            sums.add(column, row);
        }
        __syncthreads();
    }

    sums.visit(row0 + r0, column0 + q0, [=](int r, int q, float sum) {
        if (r < m && q < n)
            c[r * n + q] = sum;
    });
}
