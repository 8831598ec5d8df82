// lesson 7; device sim,gpu; nvcc,clang; want: pass, at least 95; tries: blocks in groups of eight rows, for L2. clang 14 does not unroll the copying: on an H200 its code takes 8.00 ms at 4096, the solution 5.02
LAUNCH(16, 16, 64, 64)
constexpr int GROUP = 8;
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float memory[64 * 16 + 16 * 64];
    auto &at = *reinterpret_cast<float (*)[64][16]>(memory);
    auto &bt = *reinterpret_cast<float (*)[16][64]>(memory + 1024);
    int bid = blockIdx.y * gridDim.x + blockIdx.x, per = GROUP * gridDim.x, g = bid / per, y0 = g * GROUP;
    int tall = min((int)gridDim.y - y0, GROUP), by = y0 + bid % per % tall, bx = bid % per / tall;
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    float acc[16] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 1024; e += 256) {
            at[e / 16][e % 16] = by * 64 + e / 16 < m && k0 + e % 16 < k ? a[(by * 64 + e / 16) * k + k0 + e % 16] : 0.f;
            bt[e / 64][e % 64] = k0 + e / 64 < k && bx * 64 + e % 64 < n ? b[(k0 + e / 64) * n + bx * 64 + e % 64] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            const float4 y = *reinterpret_cast<float4 *>(&bt[i][tx * 4]);
#pragma unroll
            for (int p = 0; p < 4; p++) {
                float x = at[ty * 4 + p][i];
                acc[p * 4 + 0] = fmaf(x, y.x, acc[p * 4 + 0]);
                acc[p * 4 + 1] = fmaf(x, y.y, acc[p * 4 + 1]);
                acc[p * 4 + 2] = fmaf(x, y.z, acc[p * 4 + 2]);
                acc[p * 4 + 3] = fmaf(x, y.w, acc[p * 4 + 3]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 16; e++) {
        int r = by * 64 + ty * 4 + e / 4, q = bx * 64 + tx * 4 + e % 4;
        if (r < m && q < n) c[r * n + q] = acc[e];
    }
}
