// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: Triton's way of writing: block pointers that advance, masked loads with `other`, a dot of two blocks in shared memory; 64 x 64 outputs a program, the accumulator 4 x 4 a thread
LAUNCH(256, 1, 64, 64)

constexpr int BLOCK_M = 64, BLOCK_N = 64, BLOCK_K = 32;

// A ROWS x COLUMNS window of a row-major matrix, as tl.make_block_ptr makes it.
template <int ROWS, int COLUMNS>
struct BlockPtr {
    const float *base;
    int rows, columns, row, column;

    // tl.load(self, boundary_check=(0, 1), padding_option="zero"), straight into shared memory
    __device__ void load_into(float (&block)[ROWS][COLUMNS], float other = 0.0f) const
    {
        constexpr int EACH = ROWS * COLUMNS / 256;
        float value[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            int at = e * 256 + threadIdx.x, r = row + at / COLUMNS, c = column + at % COLUMNS;
            bool mask = r < rows && c < columns;
            value[e] = mask ? base[r * columns + c] : other;
        }
#pragma unroll
        for (int e = 0; e < EACH; e++)
            (&block[0][0])[e * 256 + threadIdx.x] = value[e];
    }
    __device__ void advance(int down, int right)
    {
        row += down;
        column += right;
    }
};

struct Accumulator {
    float value[4][4];
    int r, q;  // its first row and column in the block

    __device__ Accumulator() : value{}, r(threadIdx.x / 16 * 4), q(threadIdx.x % 16 * 4) {}

    __device__ void dot(const float (&x)[BLOCK_M][BLOCK_K], const float (&y)[BLOCK_K][BLOCK_N])
    {
#pragma unroll
        for (int i = 0; i < BLOCK_K; i += 4) {
            float4 u[4], v[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                u[j] = *(const float4 *)&x[r + j][i];  // a half-warp wants one of two rows' chunks
                v[j] = *(const float4 *)&y[i + j][q];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                rank_one(j, u[j].x, v[0]);
                rank_one(j, u[j].y, v[1]);
                rank_one(j, u[j].z, v[2]);
                rank_one(j, u[j].w, v[3]);
            }
        }
    }
    __device__ void store(float *c, int row, int column, int m, int n) const
    {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float *to = c + (row + r + j) * n + column + q;
            if (row + r + j < m) {
                if (n % 4 == 0 && column + q < n)
                    *(float4 *)to = make_float4(value[j][0], value[j][1], value[j][2], value[j][3]);
                if (n % 4 != 0)
#pragma unroll
                    for (int l = 0; l < 4; l++)
                        if (column + q + l < n)
                            to[l] = value[j][l];
            }
        }
    }

private:
    __device__ void rank_one(int j, float x, float4 y)
    {
        value[j][0] += x * y.x;
        value[j][1] += x * y.y;
        value[j][2] += x * y.z;
        value[j][3] += x * y.w;
    }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float x[BLOCK_M][BLOCK_K], y[BLOCK_K][BLOCK_N];

    const int pid_m = blockIdx.y, pid_n = blockIdx.x;
    BlockPtr<BLOCK_M, BLOCK_K> a_block{a, m, k, pid_m * BLOCK_M, 0};
    BlockPtr<BLOCK_K, BLOCK_N> b_block{b, k, n, 0, pid_n * BLOCK_N};
    Accumulator sum;

    for (int left = k; left > 0; left -= BLOCK_K) {
        a_block.load_into(x);
        b_block.load_into(y);
        __syncthreads();
        sum.dot(x, y);
        __syncthreads();
        a_block.advance(0, BLOCK_K);
        b_block.advance(BLOCK_K, 0);
    }
    sum.store(c, pid_m * BLOCK_M, pid_n * BLOCK_N, m, n);
}
