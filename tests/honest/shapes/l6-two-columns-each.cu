// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 16 x 32 threads, two neighbouring columns for each, so a factor of a serves two products
LAUNCH(16, 32, 32, 32)

__global__ void __launch_bounds__(512)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int id = ty * 16 + tx;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    const int y = id / 32, x = id % 32;  // for filling, the block stands 32 x 16

    float2 sum = make_float2(0.0f, 0.0f);

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 32; j += 16) {
            const int row = row0 + y + j, at = k0 + y + j;
            a_tile[y + j][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0.0f;
            b_tile[y + j][x] = at < k && column0 + x < n ? b[at * n + column0 + x] : 0.0f;
        }
        __syncthreads();

        // A half-warp has one row of a: four words of it with one load. Of b it reads 16 pairs.
        const float4 *mine = reinterpret_cast<const float4 *>(a_tile[ty]);
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 f = mine[i / 4];
            const float2 p = reinterpret_cast<const float2 *>(b_tile[i])[tx];
            const float2 q = reinterpret_cast<const float2 *>(b_tile[i + 1])[tx];
            const float2 r = reinterpret_cast<const float2 *>(b_tile[i + 2])[tx];
            const float2 s = reinterpret_cast<const float2 *>(b_tile[i + 3])[tx];
            sum.x = fmaf(f.x, p.x, sum.x);
            sum.y = fmaf(f.x, p.y, sum.y);
            sum.x = fmaf(f.y, q.x, sum.x);
            sum.y = fmaf(f.y, q.y, sum.y);
            sum.x = fmaf(f.z, r.x, sum.x);
            sum.y = fmaf(f.z, r.y, sum.y);
            sum.x = fmaf(f.w, s.x, sum.x);
            sum.y = fmaf(f.w, s.y, sum.y);
        }
        __syncthreads();
    }

    const int row = row0 + ty, column = column0 + 2 * tx;
    if (row < m) {
        if (column < n)
            c[row * n + column] = sum.x;
        if (column + 1 < n)
            c[row * n + column + 1] = sum.y;
    }
}
