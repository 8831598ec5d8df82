// lesson 7; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: 8 x 4 a thread, but for 32 products each warp does 16 useless redux.sync (16 lanes a clock): at least 1.6 times slower than the solution on an H200.
LAUNCH(16, 16, 64, 128)

__device__ __forceinline__ unsigned all_of_it(float x)
{
    unsigned y;
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(y) : "r"(__float_as_uint(x)));
    return y;
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[128][16], b_tile[16][64];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    float sum[8][4] = {};
    unsigned junk = 0;

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 8; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[8];
            float4 four = *(const float4 *)&b_tile[i][tx * 4];  // @b
            float y[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a_tile[ty + 16 * p][i];  // @a
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += x[p] * y[q];  // @multiply
#pragma unroll
            for (int p = 0; p < 8; p++)
                junk ^= all_of_it(x[p]);
#pragma unroll
            for (int q = 0; q < 4; q++)
                junk ^= all_of_it(y[q]) ^ all_of_it(sum[q][q]);
        }
        __syncthreads();
    }

    if (m < 0)  // never
        c[0] = __uint_as_float(junk);
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty + 16 * p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty + 16 * p) * n + column0 + tx * 4 + q] = sum[p][q];
}
