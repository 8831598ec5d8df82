// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a is turned while it is stored, with an XOR that keeps both the stores and the 16-byte loads free of conflicts
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    // Column i of a's tile is a row here, 16 chunks of four. Chunk q is at place q ^ (i % 8).
    __shared__ float4 a_turned[16][16], b_tile[16][16];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float4 sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        // A warp fetches 8 neighbours from each of four rows: a sector each. They are stored in
        // eight rows, at four neighbouring words of eight different chunks: 32 banks.
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = lane % 8 + j % 2 * 8, r = lane / 8 + warp * 4 + j / 2 * 32;
            const float x = row0 + r < m && k0 + i < k ? a[(size_t)(row0 + r) * k + k0 + i] : 0.0f;
            ((float *)&a_turned[i][r / 4 ^ i % 8])[r % 4] = x;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int e = id + j * 256, i = e / 64, q = e % 64;
            ((float *)b_tile[i])[q] = k0 + i < k && column0 + q < n ? b[(size_t)(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            const float4 x = a_turned[i][ty ^ i % 8], y = b_tile[i][tx];
            const float rows[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p].x += rows[p] * y.x;
                sum[p].y += rows[p] * y.y;
                sum[p].z += rows[p] * y.z;
                sum[p].w += rows[p] * y.w;
            }
        }
        __syncthreads();
    }

    const int column = column0 + tx * 4;
#pragma unroll
    for (int p = 0; p < 4; p++) {
        const int row = row0 + ty * 4 + p;
        if (row >= m)
            continue;
        float *to = c + (size_t)row * n + column;
        if (n % 4 == 0 && column < n)  // all four exist
            *(float4 *)to = sum[p];
        const float four[4] = {sum[p].x, sum[p].y, sum[p].z, sum[p].w};
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (n % 4 != 0 && column + q < n)
                to[q] = four[q];
    }
}
