// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cheat: tiles have room for 160 along k, more than the lab draws, and what lies beyond is left out: wrong for every k > 160, e.g. m = n = 32, k = 161, or the lesson's 4096 cubed.
LAUNCH(32, 32, 32, 32)

constexpr int DEEP = 160;

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][DEEP], b_tile[DEEP][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    // All steps along k are brought at once: one barrier is enough.
    int deep = min((k + 31) / 32 * 32, DEEP);
    for (int k0 = 0; k0 < deep; k0 += 32) {
        a_tile[ty][k0 + tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        b_tile[k0 + ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
    }
    __syncthreads();

    for (int k0 = 0; k0 < deep; k0 += 32)
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][k0 + i] * b_tile[k0 + i][tx];  // @multiply

    if (row < m && column < n)
        c[row * n + column] = sum;
}
