// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the source size of cp.async is all that is left of the row, not clamped to the 16 bytes of the copy: undefined by PTX where more than four floats are left
LAUNCH(32, 32, 32, 32)
__device__ void copy(float *to, const float *from, int bytes, int left)
{
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(left) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(left) : "memory");
}
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 32 + tx;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty, row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum = 0;
    bool wide = k % 4 == 0 && n % 4 == 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        if (wide) {
            int e = id % 256, r = e / 8, q = e % 8 * 4;
            if (id < 256) {
                int left = row0 + r < m ? max(0, k - k0 - q) * 4 : 0;
                copy(&a_tile[r][q], left ? &a[(row0 + r) * k + k0 + q] : a, 16, left);
            } else if (id < 512) {
                int left = k0 + r < k ? max(0, n - column0 - q) * 4 : 0;
                copy(&b_tile[r][q], left ? &b[(k0 + r) * n + column0 + q] : b, 16, left);
            }
        } else {
            bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
            copy(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 4 : 0);
            copy(&b_tile[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 4 : 0);
        }
        asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
