// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: four slices of the block share each step along k (CUTLASS calls it sliced k): 64 threads cover the 64 x 64 outputs with 8 x 8 each, four times over, and a tree in shared memory adds the slices in the end
LAUNCH(64, 4, 64, 64)

// The tiles while it multiplies, the sums of two slices afterwards.
union Memory {
    struct {
        float4 a[64][4];   // [row][k / 4], chunk q of row r at q ^ (r & 3)
        float4 b[16][16];  // [k][column / 4]
    } tile;
    float4 sums[2][16][64];  // [slice][which quad][thread]
};

__device__ __forceinline__ void axpy(float4 &sum, float x, const float4 &y)
{
    sum.x += x * y.x;
    sum.y += x * y.y;
    sum.z += x * y.z;
    sum.w += x * y.w;
}

__global__ void __launch_bounds__(256, 2)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Memory memory;
    auto &tile = memory.tile;

    const int t = threadIdx.x, slice = threadIdx.y, id = slice * 64 + t, lane = t & 31;
    // A warp is 4 x 8 threads; bits 0 and 2 of the lane go down, the others across, so that a load
    // of 16 bytes takes two wavefronts.
    const int ty = (t >> 5) * 4 + (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;

    float4 sum[8][2] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 4; j++) {  // a: four times 16 rows of 16
            const int r = id / 16 + j * 16, i = id % 16;
            float *chunk = (float *)&tile.a[r][(i >> 2) ^ (r & 3)];
            chunk[i & 3] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {  // b: four times 4 rows of 64
            const int i = slice + j * 4, q = t;
            ((float *)tile.b[i])[q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

        // This slice's four of the sixteen. Rows ty + 8 p, columns 4 tx and 32 + 4 tx.
        float4 x[8];
#pragma unroll
        for (int p = 0; p < 8; p++)
            x[p] = tile.a[ty + 8 * p][slice ^ (ty & 3)];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float4 u = tile.b[slice * 4 + i][tx], v = tile.b[slice * 4 + i][tx + 8];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                axpy(sum[p][0], f, u);
                axpy(sum[p][1], f, v);
            }
        }
        __syncthreads();
    }

    // 3 -> 1 and 2 -> 0, then 1 -> 0. The tiles are not needed any more: all have passed the barrier above.
#pragma unroll
    for (int half = 2; half > 0; half /= 2) {
        if (slice >= half && slice < 2 * half)
#pragma unroll
            for (int e = 0; e < 16; e++)
                memory.sums[slice - half][e][t] = sum[e / 2][e % 2];
        __syncthreads();
        if (slice < half)
#pragma unroll
            for (int e = 0; e < 16; e++) {
                const float4 other = memory.sums[slice][e][t];
                axpy(sum[e / 2][e % 2], 1.0f, other);
            }
        __syncthreads();
    }

    if (slice == 0)
#pragma unroll
        for (int e = 0; e < 16; e++) {
            const int row = row0 + ty + e / 2 * 8, column = column0 + e % 2 * 32 + tx * 4;
            const float4 s = sum[e / 2][e % 2];
            float *to = c + row * n + column;
            if (row < m && column + 3 < n && n % 4 == 0)
                *(float4 *)to = s;
            else if (row < m) {
                if (column < n)
                    to[0] = s.x;
                if (column + 1 < n)
                    to[1] = s.y;
                if (column + 2 < n)
                    to[2] = s.z;
                if (column + 3 < n)
                    to[3] = s.w;
            }
        }
}
