// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: inline cp.async with a source size, half of the warps bring a and half b, eight bytes a thread where rows allow it
LAUNCH(32, 32, 32, 32)

template <int BYTES>
__device__ __forceinline__ void copy_async(float *to, const float *from, int have)  // `have` bytes exist, the rest become 0
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "n"(BYTES), "r"(have)
                 : "memory");
}

// A warp starts the copies of two rows of a tile: rows `row` and row + 1 of a matrix, 32 columns from `column` on.
__device__ __forceinline__ void bring_two_rows(float *to, const float *from, int row, int column, int rows, int columns)
{
    const int lane = threadIdx.x;
    if (columns % 2 == 0) {  // pairs lie at multiples of 8 bytes, and exist together
        const int r = row + lane / 16, q = column + lane % 16 * 2;
        const bool exists = r < rows && q < columns;
        copy_async<8>(to + lane * 2, exists ? from + (size_t)r * columns + q : from, exists ? 8 : 0);
    } else {
        const int q = column + lane;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const bool exists = row + j < rows && q < columns;
            copy_async<4>(to + j * 32 + lane, exists ? from + (size_t)(row + j) * columns + q : from, exists ? 4 : 0);
        }
    }
}

__global__ void __launch_bounds__(1024) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y, pair = ty % 16 * 2;  // one warp a row of threads
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        if (ty < 16)
            bring_two_rows(a_tile[pair], a, row0 + pair, k0, m, k);
        else
            bring_two_rows(b_tile[pair], b, k0 + pair, column0, k, n);
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();

        const float4 *x = reinterpret_cast<const float4 *>(a_tile[ty]);
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 four = x[i / 4];
            sum += four.x * b_tile[i][tx];
            sum += four.y * b_tile[i + 1][tx];
            sum += four.z * b_tile[i + 2][tx];
            sum += four.w * b_tile[i + 3][tx];
        }
        __syncthreads();
    }

    if (row0 + ty < m && column0 + tx < n)
        c[(size_t)(row0 + ty) * n + column0 + tx] = sum;
}
