// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cp.async by inline PTX, 16 bytes wherever rows allow it and 4 elsewhere (if constexpr), 2 x 2 a thread with columns 16 apart
LAUNCH(16, 16, 32, 32)

// BYTES are on their way when this returns; zeros if they are not wanted, and then nothing is read.
template <int BYTES>
__device__ __forceinline__ void bring(void *to, const float *from, bool wanted)
{
    static_assert(BYTES == 4 || BYTES == 16, "what cp.async can do for floats here");
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = wanted ? BYTES : 0;
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(__cvta_generic_to_global(from)), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(__cvta_generic_to_global(from)), "r"(bytes)
                     : "memory");
}

// A tile of 32 x 32, from element (row0, column0) of a matrix on.
__device__ __forceinline__ void bring_tile(float *tile, const float *matrix, int row0, int column0, int rows, int columns)
{
    const int t = threadIdx.y * 16 + threadIdx.x;
    if (columns % 4 == 0) {
        const int row = row0 + t / 8, column = column0 + t % 8 * 4;
        const bool there = row < rows && column < columns;  // all four or none
        bring<16>(tile + t * 4, matrix + (there ? (size_t)row * columns + column : 0), there);
    } else {
#pragma unroll
        for (int e = t; e < 1024; e += 256) {
            const int row = row0 + e / 32, column = column0 + e % 32;
            const bool there = row < rows && column < columns;
            bring<4>(tile + e, matrix + (there ? (size_t)row * columns + column : 0), there);
        }
    }
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(128) float a_tile[32 * 32], b_tile[32 * 32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bring_tile(a_tile, a, row0, k0, m, k);
        bring_tile(b_tile, b, k0, column0, k, n);
        asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
        __syncthreads();

        // Rows ty and ty + 16, columns tx and tx + 16. The halves of a warp read the same 16 words of b.
        const float4 *upper = reinterpret_cast<const float4 *>(a_tile + ty * 32), *lower = upper + 16 * 8;
        const float *y = b_tile + tx;
#pragma unroll
        for (int q = 0; q < 8; ++q, y += 4 * 32) {
            const float4 u = upper[q], v = lower[q];
            const float x0[4] = {u.x, u.y, u.z, u.w}, x1[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float y0 = y[i * 32], y1 = y[i * 32 + 16];
                s00 += x0[i] * y0;
                s01 += x0[i] * y1;
                s10 += x1[i] * y0;
                s11 += x1[i] * y1;
            }
        }
        __syncthreads();
    }

    const int r0 = row0 + ty, r1 = r0 + 16, q0 = column0 + tx, q1 = q0 + 16;
    if (r0 < m && q0 < n)
        c[(size_t)r0 * n + q0] = s00;
    if (r0 < m && q1 < n)
        c[(size_t)r0 * n + q1] = s01;
    if (r1 < m && q0 < n)
        c[(size_t)r1 * n + q0] = s10;
    if (r1 < m && q1 < n)
        c[(size_t)r1 * n + q1] = s11;
}
