// lesson 7; device sim,gpu; nvcc,clang; want: fail; tries: both tiles are filled by float4 whenever k is a multiple of 4, but a row of b is n floats long: with k % 4 == 0 and n % 4 != 0 (64 x 66 x 16, say) the loads of b are misaligned and the kernel faults, no size of the lesson's own list shows it
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    bool vectors = k % 4 == 0;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        {
            int r = id / 4, i = id % 4 * 4;
            float4 v = {0, 0, 0, 0};
            const float *p = &a[(row0 + r) * k + k0 + i];
            if (row0 + r < m) {
                if (vectors && k0 + i + 3 < k)
                    v = *reinterpret_cast<const float4 *>(p);
                else {
                    if (k0 + i + 0 < k) v.x = p[0];
                    if (k0 + i + 1 < k) v.y = p[1];
                    if (k0 + i + 2 < k) v.z = p[2];
                    if (k0 + i + 3 < k) v.w = p[3];
                }
            }
            *reinterpret_cast<float4 *>(&a_tile[r][i]) = v;
        }
        {
            int i = id / 16, q = id % 16 * 4;
            float4 v = {0, 0, 0, 0};
            const float *p = &b[(k0 + i) * n + column0 + q];
            if (k0 + i < k) {
                if (vectors && column0 + q + 3 < n)
                    v = *reinterpret_cast<const float4 *>(p);
                else {
                    if (column0 + q + 0 < n) v.x = p[0];
                    if (column0 + q + 1 < n) v.y = p[1];
                    if (column0 + q + 2 < n) v.z = p[2];
                    if (column0 + q + 3 < n) v.w = p[3];
                }
            }
            *reinterpret_cast<float4 *>(&b_tile[i][q]) = v;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[i][q0 + j];
            }
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
