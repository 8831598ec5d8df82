// lesson 9; device sim; nvcc,clang; want: full; tries: a thread's rows lie 16 apart (other XOR key), fragments of b one step ahead in registers, ring kept as two walking numbers
#include <cuda_pipeline.h>

LAUNCH(32, 8, 128, 128)

constexpr int STAGES = 3, BM = 128, BN = 128, BK = 16;

struct Stage {
    float4 a[BM][BK / 4];   // chunk q of row r at q ^ (r / 2 % 4)
    float4 b[BK][BN / 4];
};
static_assert(STAGES * sizeof(Stage) == 48 * 1024, "as much as a block may declare");

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__device__ __forceinline__ float pick(const float4 &v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

__global__ void __launch_bounds__(256, 1) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage ring[STAGES];

    const int lane = threadIdx.x, warp = threadIdx.y, id = warp * 32 + lane;
    // 4 x 8 threads a warp. Lane bits 0 and 2: ty. Bits 1, 3, 4: tx. So neighbours share chunks.
    const int ty = (warp >> 1) * 4 + ((lane & 1) | ((lane >> 1) & 2));
    const int tx = (warp & 1) * 8 + (((lane >> 1) & 1) | ((lane >> 2) & 6));
    const int row0 = blockIdx.y * BM, column0 = blockIdx.x * BN;
    const int key = (ty >> 1) & 3;  // of rows ty, ty + 16, ty + 32 …
    const bool a_wide = k % 4 == 0, b_wide = n % 4 == 0;

    // What this thread brings: chunk id % 4 of rows id / 4 and 64 further, chunk id % 32 of rows id / 32 and 8 further.
    const int a_r = id >> 2, a_q = id & 3, b_r = id >> 5, b_q = id & 31;
    auto fetch = [&](int place, int k0) {
        Stage &to = ring[place];
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = a_r + 64 * j, i = k0 + a_q * 4;
            copy4(&to.a[r][a_q ^ ((r >> 1) & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, a_wide);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = b_r + 8 * j, column = column0 + b_q * 4;
            copy4(&to.b[r][b_q], b, (k0 + r) * n + column, k0 + r < k ? n - column : 0, b_wide);
        }
        __pipeline_commit();  // beyond k a group of zeros, so that the number of groups stays the same
    };

    float sum[8][8] = {};
    fetch(0, 0);
    fetch(1, BK);
    int read = 0, write = 2;

    for (int k0 = 0; k0 < k; k0 += BK) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // this step is complete for all; nobody reads the one before any more
        fetch(write, k0 + (STAGES - 1) * BK);

        const Stage &now = ring[read];
        float4 x[8], y[2][2];
        y[0][0] = now.b[0][tx];
        y[0][1] = now.b[0][tx + 16];
#pragma unroll
        for (int i = 0; i < BK; i++) {
            if (i % 4 == 0)
#pragma unroll
                for (int p = 0; p < 8; p++)
                    x[p] = now.a[ty + 16 * p][(i / 4) ^ key];
            if (i + 1 < BK) {
                y[(i + 1) & 1][0] = now.b[i + 1][tx];
                y[(i + 1) & 1][1] = now.b[i + 1][tx + 16];
            }
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[p][q] = fmaf(pick(x[p], i & 3), pick(y[i & 1][q >> 2], q & 3), sum[p][q]);
        }

        read = read == STAGES - 1 ? 0 : read + 1;
        write = write == STAGES - 1 ? 0 : write + 1;
    }
    __pipeline_wait_prior(0);  // nothing stays under way when the block ends

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + ty + 16 * p;
        if (row < m)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int column = column0 + (tx + 16 * h) * 4;
                float *to = c + (size_t)row * n + column;
                if (b_wide) {
                    if (column < n)
                        *reinterpret_cast<float4 *>(to) =
                            make_float4(sum[p][4 * h], sum[p][4 * h + 1], sum[p][4 * h + 2], sum[p][4 * h + 3]);
                } else
#pragma unroll
                    for (int q = 0; q < 4; q++)
                        if (column + q < n)
                            to[q] = sum[p][4 * h + q];
            }
    }
}
