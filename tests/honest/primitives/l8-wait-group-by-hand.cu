// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: cp.async by inline PTX, 16 bytes where rows allow it, wait_group 0
LAUNCH(32, 8, 32, 32)

__device__ void bring(float *to, const float *from, const float *base, int have, bool wide)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if (wide)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(at), "l"(have > 0 ? from : base), "r"(have > 0 ? 16 : 0) : "memory");
    else
        for (int j = 0; j < 4; j++)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(at + 4 * j), "l"(j < have ? from + j : base), "r"(j < have ? 4 : 0) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float x[32][32], y[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 32 + tx, r = id / 8, q = id % 8 * 4;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        bring(&x[r][q], a + (size_t)(row0 + r) * k + k0 + q, a, row0 + r < m ? k - k0 - q : 0, k % 4 == 0);
        bring(&y[r][q], b + (size_t)(k0 + r) * n + column0 + q, b, k0 + r < k ? n - column0 - q : 0, n % 4 == 0);
        asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float v = y[i][tx];
#pragma unroll
            for (int p = 0; p < 4; p++)
                sum[p] += x[ty + 8 * p][i] * v;
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        if (row0 + ty + 8 * p < m && column0 + tx < n)
            c[(row0 + ty + 8 * p) * n + column0 + tx] = sum[p];
}
