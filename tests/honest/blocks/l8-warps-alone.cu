// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: each warp has 32 x 32 outputs and tiles of its own, copies for itself and waits for itself: cp.async.wait_all and __syncwarp, no barrier of the block at all
LAUNCH(32, 4, 64, 64)

// 16 bytes where rows are aligned, else 4; nothing is read, and zeros are written, where `there` is false.
template <int BYTES>
__device__ __forceinline__ void ptx_copy(float *to, const float *from, bool there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "n"(BYTES), "r"(there ? BYTES : 0) : "memory");
}

__device__ __forceinline__ void ptx_wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

struct Tiles {
    float4 a[32][8];  // chunk q of row r at q ^ (r & 7)
    float4 b[32][8];
};

// Rows [row, row + 32) and columns [column, column + 32) of a rows x columns matrix.
template <bool TURNED>
__device__ void bring(float4 (&tile)[32][8], const float *from, int row, int column, int rows, int columns)
{
    const int lane = threadIdx.x;
    if (columns % 4 == 0) {
        const int q = lane % 8;
#pragma unroll
        for (int r = lane / 8; r < 32; r += 4) {
            const bool there = row + r < rows && column + q * 4 < columns;
            const float *p = there ? from + (row + r) * columns + column + q * 4 : from;
            ptx_copy<16>((float *)&tile[r][TURNED ? q ^ (r & 7) : q], p, there);
        }
    } else
#pragma unroll 4
        for (int r = 0; r < 32; r++) {
            const bool there = row + r < rows && column + lane < columns;
            const float *p = there ? from + (row + r) * columns + column + lane : from;
            ptx_copy<4>((float *)&tile[r][TURNED ? lane / 4 ^ (r & 7) : lane / 4] + lane % 4, p, there);
        }
}

__global__ void __launch_bounds__(128)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Tiles of_warps[4];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int row0 = blockIdx.y * 64 + warp / 2 * 32, column0 = blockIdx.x * 64 + warp % 2 * 32;
    if (row0 >= m || column0 >= n)
        return;  // the warp as a whole, and nobody waits for it

    Tiles &mine = of_warps[warp];
    // 4 x 8 lanes, 8 x 4 elements each; pairs of lanes share what they load.
    const int ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    float4 sum[8] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
        bring<true>(mine.a, a, row0, k0, m, k);
        bring<false>(mine.b, b, k0, column0, k, n);
        ptx_wait_for_copies();
        __syncwarp();

#pragma unroll
        for (int q = 0; q < 8; q++) {
            float4 y[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                y[i] = mine.b[q * 4 + i][tx];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                const float4 x = mine.a[p * 4 + ty][q ^ ((p * 4 + ty) & 7)];
                sum[p].x += x.x * y[0].x + x.y * y[1].x + x.z * y[2].x + x.w * y[3].x;
                sum[p].y += x.x * y[0].y + x.y * y[1].y + x.z * y[2].y + x.w * y[3].y;
                sum[p].z += x.x * y[0].z + x.y * y[1].z + x.z * y[2].z + x.w * y[3].z;
                sum[p].w += x.x * y[0].w + x.y * y[1].w + x.z * y[2].w + x.w * y[3].w;
            }
        }
        __syncwarp();  // before the next copies overwrite what other lanes may still read
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p * 4 + ty, column = column0 + tx * 4;
        float *to = c + row * n + column;
        if (row >= m)
            continue;
        if (n % 4 == 0) {
            if (column < n)
                *(float4 *)to = sum[p];
        } else {
            if (column < n)
                to[0] = sum[p].x;
            if (column + 1 < n)
                to[1] = sum[p].y;
            if (column + 2 < n)
                to[2] = sum[p].z;
            if (column + 3 < n)
                to[3] = sum[p].w;
        }
    }
}
