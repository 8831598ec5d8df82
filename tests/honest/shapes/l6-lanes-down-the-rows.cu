// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a is kept turned, lanes are rows of c: one word of a, eight broadcast words of b, eight products
LAUNCH(32, 4, 32, 32)

// A warp has the 32 rows of the block's tile, one a lane, and eight of its columns. So b is what all
// lanes share, and a is what each has for itself: the other way round than usual.
__global__ void __launch_bounds__(128)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_turned[32][33];               // [i][row]
    __shared__ __align__(16) float4 b_tile[32][8];   // [i][four columns]

    int lane = threadIdx.x, warp = threadIdx.y;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum[8] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
        float from_a[8], from_b[8];
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = warp + 4 * j;
            from_a[j] = row0 + r < m && k0 + lane < k ? a[(row0 + r) * k + k0 + lane] : 0.0f;
            from_b[j] = k0 + r < k && column0 + lane < n ? b[(k0 + r) * n + column0 + lane] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            a_turned[lane][warp + 4 * j] = from_a[j];
            ((float *)b_tile[warp + 4 * j])[lane] = from_b[j];
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++) {
            float x = a_turned[i][lane];
            float4 u = b_tile[i][2 * warp], v = b_tile[i][2 * warp + 1];
            sum[0] += x * u.x, sum[1] += x * u.y, sum[2] += x * u.z, sum[3] += x * u.w;
            sum[4] += x * v.x, sum[5] += x * v.y, sum[6] += x * v.z, sum[7] += x * v.w;
        }
        __syncthreads();
    }

    int row = row0 + lane, column = column0 + 8 * warp;
    if (row >= m)
        return;
    float *to = c + row * n + column;
    if (n % 4 == 0 && column + 8 <= n) {
        ((float4 *)to)[0] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        ((float4 *)to)[1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
    } else {
#pragma unroll
        for (int q = 0; q < 8; q++)
            if (column + q < n)
                to[q] = sum[q];
    }
}
