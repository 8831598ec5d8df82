// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: two teams of 256 threads with tiles and a named barrier of their own take the steps along k in turn, so that one multiplies while the other fills; their sums meet in the end
LAUNCH(256, 2, 32, 32)

__device__ __forceinline__ void ptx_bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

struct Pair {
    float a[32][32], b[32][32];
};

__global__ void __launch_bounds__(512)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ __align__(16) Pair tiles[2];

    const int team = threadIdx.y, tx = threadIdx.x & 31, ty = threadIdx.x >> 5;  // ty: 0 to 7, the warp
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty * 4;
    Pair &mine = tiles[team];
    float sum[4] = {};

    // Steps team, team + 2, … A team may have one step less than the other; nobody minds, since
    // the barrier in here is of this team alone.
    for (int k0 = team * 32; k0 < k; k0 += 64) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = ty * 4 + j;
            mine.a[r][tx] = row + j < m && k0 + tx < k ? a[(row + j) * k + k0 + tx] : 0.0f;
            mine.b[r][tx] = k0 + r < k && column < n ? b[(k0 + r) * n + column] : 0.0f;
        }
        ptx_bar_sync(1 + team, 256);
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float y[4];
#pragma unroll
            for (int l = 0; l < 4; l++)
                y[l] = mine.b[i + l][tx];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float4 x = *(const float4 *)&mine.a[ty * 4 + j][i];
                sum[j] += x.x * y[0] + x.y * y[1] + x.z * y[2] + x.w * y[3];
            }
        }
        ptx_bar_sync(1 + team, 256);
    }

    // The second team leaves its sums in its own tile, which nobody else has ever touched.
    if (team == 1)
#pragma unroll
        for (int j = 0; j < 4; j++)
            tiles[1].a[ty * 4 + j][tx] = sum[j];
    __syncthreads();
    if (team == 0)
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (row + j < m && column < n)
                c[(row + j) * n + column] = sum[j] + tiles[1].a[ty * 4 + j][tx];
}
