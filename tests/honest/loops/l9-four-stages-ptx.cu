// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 64 x 128 by 128 threads, four stages in 48 KB, cp.async in PTX through a class template for the ring
LAUNCH(128, 1, 128, 64)

template <int BYTES>
__device__ __forceinline__ void copy_async(unsigned to, const float *from, bool there)
{
    const size_t at = __cvta_generic_to_global(from);
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(at), "r"(there ? 16 : 0) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(at), "r"(there ? 4 : 0) : "memory");
}

// ROWS x COLUMNS floats of a matrix, by all THREADS of the block.
template <int ROWS, int COLUMNS, int THREADS>
__device__ __forceinline__ void copy_tile(float4 *tile, const float *matrix, int row0, int column0, int rows, int columns)
{
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    if (columns % 4 == 0) {
        constexpr int WIDE = COLUMNS / 4;
#pragma unroll
        for (int j = 0; j < ROWS * WIDE / THREADS; ++j) {
            const int e = threadIdx.x + j * THREADS, row = row0 + e / WIDE, column = column0 + e % WIDE * 4;
            const bool there = row < rows && column < columns;
            copy_async<16>(place + e * 16, there ? matrix + (size_t)row * columns + column : matrix, there);
        }
    } else {
#pragma unroll 2
        for (int j = 0; j < ROWS * COLUMNS / THREADS; ++j) {
            const int e = threadIdx.x + j * THREADS, row = row0 + e / COLUMNS, column = column0 + e % COLUMNS;
            const bool there = row < rows && column < columns;
            copy_async<4>(place + e * 4, there ? matrix + (size_t)row * columns + column : matrix, there);
        }
    }
}

template <int STAGES>
struct Ring {
    float4 a[STAGES][64][4];
    float4 b[STAGES][16][32];

    static __device__ __forceinline__ void close() { asm volatile("cp.async.commit_group;" ::: "memory"); }
    // The oldest stage that was not waited for is here; the other STAGES - 2 may be under way.
    static __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory"); }
    static __device__ __forceinline__ int after(int stage) { return stage + 1 == STAGES ? 0 : stage + 1; }
};

__global__ void __launch_bounds__(128)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int STAGES = 4;
    __shared__ Ring<STAGES> ring;

    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 128;

    int fetched = 0, into = 0;  // along k; and the stage that comes next
    const auto fetch = [&] {
        if (fetched < k) {
            copy_tile<64, 16, 128>(&ring.a[into][0][0], a, row0, fetched, m, k);
            copy_tile<16, 128, 128>(&ring.b[into][0][0], b, fetched, column0, k, n);
        }
        ring.close();  // also if there was nothing left: groups are counted
        fetched += 16;
        into = ring.after(into);
    };

    float sum[8][8] = {};
    for (int ahead = 1; ahead < STAGES; ++ahead)
        fetch();

    for (int k0 = 0, stage = 0; k0 < k; k0 += 16, stage = ring.after(stage)) {
        ring.wait();
        __syncthreads();
        fetch();

#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float x[8][4], y[8];
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                const float4 four = ring.a[stage][ty + 8 * p][j];
                x[p][0] = four.x, x[p][1] = four.y, x[p][2] = four.z, x[p][3] = four.w;
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float4 u = ring.b[stage][4 * j + i][tx], v = ring.b[stage][4 * j + i][16 + tx];
                y[0] = u.x, y[1] = u.y, y[2] = u.z, y[3] = u.w;
                y[4] = v.x, y[5] = v.y, y[6] = v.z, y[7] = v.w;
#pragma unroll
                for (int p = 0; p < 8; ++p)
#pragma unroll
                    for (int q = 0; q < 8; ++q)
                        sum[p][q] += x[p][i] * y[q];
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = row0 + ty + 8 * p, column = column0 + 64 * h + 4 * tx;
            const float *s = sum[p] + 4 * h;
            if (row >= m || column >= n)
                continue;
            float *to = c + (size_t)row * n + column;
            if (n % 4 == 0)
                *reinterpret_cast<float4 *>(to) = make_float4(s[0], s[1], s[2], s[3]);
            else
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (column + q < n)
                        to[q] = s[q];
        }
}
