// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 80 x 80 elements a block, 5 x 5 a thread; both tiles in float4 along k, products are dots
LAUNCH(256, 1, 80, 80)

__device__ __forceinline__ float dot(float4 x, float4 y, float sum)
{
    sum += x.x * y.x;
    sum += x.y * y.y;
    sum += x.z * y.z;
    sum += x.w * y.w;
    return sum;
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[80][4];  // row, four along k
    __shared__ float4 b_tile[4][80];  // four along k, column

    // A warp has 2 x 16 threads of the 16 x 16. Bit 1 of the lane is the row: so lanes l and l ^ 2 want
    // the same of b, lanes l and l ^ 1 the same of a, and 16 bytes a lane come in two wavefronts.
    int id = threadIdx.x, lane = id % 32;
    int tx = (lane & 1) | (lane >> 1 & 14), ty = id / 32 * 2 + (lane >> 1 & 1);
    int row0 = blockIdx.y * 80, column0 = blockIdx.x * 80;
    float sum[5][5] = {};

    // Four rows of one column of b, one below the other.
    auto bring_b = [&](int e, int k0) {
        int quad = e / 80, q = e % 80, i = k0 + quad * 4, column = column0 + q;
        float four[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            four[j] = i + j < k && column < n ? b[(i + j) * n + column] : 0.0f;
        b_tile[quad][q] = make_float4(four[0], four[1], four[2], four[3]);
    };

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 5; j++) {
            int e = id + 256 * j, row = row0 + e / 16, i = k0 + e % 16;
            ((float *)a_tile)[e] = row < m && i < k ? a[row * k + i] : 0.0f;
        }
        bring_b(id, k0);
        if (id < 64)
            bring_b(id + 256, k0);
        __syncthreads();

#pragma unroll
        for (int quad = 0; quad < 4; quad++) {
            float4 x[5], y[5];
#pragma unroll
            for (int p = 0; p < 5; p++) {
                x[p] = a_tile[ty + 16 * p][quad];
                y[p] = b_tile[quad][tx + 16 * p];
            }
#pragma unroll
            for (int p = 0; p < 25; p++)
                sum[p / 5][p % 5] = dot(x[p / 5], y[p % 5], sum[p / 5][p % 5]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 25; p++) {
        int row = row0 + ty + p / 5 * 16, column = column0 + tx + p % 5 * 16;
        if (row < m && column < n)
            c[row * n + column] = sum[p / 5][p % 5];
    }
}
