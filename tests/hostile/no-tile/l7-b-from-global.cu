// lesson 7; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: cheat: only a goes through a tile, at every size; each thread takes its four numbers of b straight from global memory (L1) for each i, so half of what is multiplied never is in shared memory.
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;  // @fill
        }
        __syncthreads();

        bool whole = k0 + 16 <= k && column0 + 64 <= n && n % 4 == 0;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
            int at = (k0 + i) * n + column0 + q0;
            if (whole) {
                float4 four = __ldg((const float4 *)(b + at));  // @b
                y[0] = four.x, y[1] = four.y, y[2] = four.z, y[3] = four.w;
            } else
#pragma unroll
                for (int j = 0; j < 4; j++)
                    y[j] = k0 + i < k && column0 + q0 + j < n ? __ldg(b + at + j) : 0.0f;
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = a_tile[r0 + j][i];        // @a
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
