// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 128 threads for the same 64 x 64 tile, 4 x 8 each, columns in two float4 32 apart, chunks of a XOR the row by four, Fortran-like DO macros for the products
LAUNCH(8, 16, 64, 64)

#define DO(v, n) _Pragma("unroll") for (int v = 0; v < (n); v++)

__global__ void __launch_bounds__(128) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float A[64][16], B[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 8 + tx;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float S[4][8] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        DO(j, 8) {
            const int r = (id >> 4) + 8 * j, i = id & 15;
            A[r][i ^ (r >> 2 & 3) << 2] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.f;
        }
        DO(j, 8) {
            const int i = (id >> 6) + 2 * j, q = id & 63;
            B[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.f;
        }
        __syncthreads();
        DO(i4, 4) {
            float4 X[4];
            DO(p, 4) X[p] = *(const float4 *)&A[ty * 4 + p][(i4 ^ (ty & 3)) * 4];
            DO(i, 4) {
                const float4 u = *(const float4 *)&B[i4 * 4 + i][tx * 4], v = *(const float4 *)&B[i4 * 4 + i][tx * 4 + 32];
                const float Y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
                DO(p, 4) {
                    const float f = i == 0 ? X[p].x : i == 1 ? X[p].y : i == 2 ? X[p].z : X[p].w;
                    DO(q, 8) S[p][q] += f * Y[q];
                }
            }
        }
        __syncthreads();
    }

    DO(p, 4) DO(q, 8) {
        const int row = row0 + ty * 4 + p, column = column0 + (q >> 2) * 32 + tx * 4 + (q & 3);
        if (row < m && column < n)
            c[row * n + column] = S[p][q];
    }
}
