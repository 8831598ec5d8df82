// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: SYCL style with nd_item, local_accessor and lambdas, 16 x 16 items for 32 x 32 of c, two by two each (columns tx and tx + 16); the same two barriers a step; a is broadcast by halves of a warp, rows of a_tile 36 words so that two rows lie in other banks; right
LAUNCH(16, 16, 32, 32)

template <int COLUMNS> struct local_accessor {
    float (*data)[COLUMNS];
    __device__ __forceinline__ float *operator[](size_t r) const { return data[r]; }
};
struct nd_item {
    __device__ __forceinline__ size_t get_local_id(int d) const { return d ? threadIdx.x : threadIdx.y; }
    __device__ __forceinline__ size_t get_group(int d) const { return d ? blockIdx.x : blockIdx.y; }
    __device__ __forceinline__ size_t get_local_linear_id() const { return threadIdx.y * 16 + threadIdx.x; }
    __device__ __forceinline__ void barrier() const { __syncthreads(); }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_data[32][36], b_data[32][32];
    const local_accessor<36> a_tile{a_data};
    const local_accessor<32> b_tile{b_data};
    const nd_item item;

    const size_t M = m, N = n, K = k;
    const size_t ly = item.get_local_id(0), lx = item.get_local_id(1), id = item.get_local_linear_id();
    const size_t row0 = item.get_group(0) * 32, column0 = item.get_group(1) * 32;
    float sum[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};

    for (size_t k0 = 0; k0 < K; k0 += 32) {
        auto bring = [=](auto tile, const float *from, size_t first_row, size_t first_column, size_t rows, size_t columns) {
            for (size_t r = id / 32; r < 32; r += 8) {
                const size_t y = first_row + r, x = first_column + id % 32;
                tile[r][id % 32] = y < rows && x < columns ? from[y * columns + x] : 0.0f;
            }
        };
        bring(a_tile, a, row0, k0, M, K);
        bring(b_tile, b, k0, column0, K, N);
        item.barrier();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            const float x0 = a_tile[ly][i], x1 = a_tile[ly + 16][i];
            const float y0 = b_tile[i][lx], y1 = b_tile[i][lx + 16];
            sum[0][0] += x0 * y0;
            sum[0][1] += x0 * y1;
            sum[1][0] += x1 * y0;
            sum[1][1] += x1 * y1;
        }
        item.barrier();
    }

#pragma unroll
    for (int p = 0; p < 2; p++)
#pragma unroll
        for (int q = 0; q < 2; q++) {
            const size_t row = row0 + ly + p * 16, column = column0 + lx + q * 16;
            if (row < M && column < N)
                c[row * N + column] = sum[p][q];
        }
}
