// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: warps 0 to 15 bring a, 16 to 31 bring b: operands are types, copies are asm with a source size
LAUNCH(1024, 1, 32, 32)

__device__ __forceinline__ void copy_word(float *to, const float *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)),
                    "r"(exists ? 4 : 0)
                 : "memory");
}

// Two matrices that differ in what k is to them: a has it along its rows, b down its columns.
template <typename Which>
struct Operand {
    const float *data;
    int rows, columns;

    __device__ __forceinline__ void bring(float (&tile)[32][32], int row0, int column0, int warp, int lane) const
    {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int r = Which::first_row(warp) + half, row = row0 + r, column = column0 + lane;
            bool exists = row < rows && column < columns;
            copy_word(&tile[r][lane], exists ? data + row * columns + column : data, exists);
        }
    }
};
struct Left {
    __device__ static int first_row(int warp) { return warp * 2; }
};
struct Right {
    __device__ static int first_row(int warp) { return (warp - 16) * 2; }
};

__global__ void __launch_bounds__(1024)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    Operand<Left> left{a, m, k};
    Operand<Right> right{b, k, n};
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        if (warp < 16)
            left.bring(a_tile, row0, k0, warp, lane);
        else
            right.bring(b_tile, k0, column0, warp, lane);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = fmaf(a_tile[warp][i], b_tile[i][lane], sum);
        __syncthreads();
    }

    if (row0 + warp < m && column0 + lane < n)
        c[(row0 + warp) * n + column0 + lane] = sum;
}
