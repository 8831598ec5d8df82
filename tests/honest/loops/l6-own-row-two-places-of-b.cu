// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a row of a belongs to one warp (__syncwarp), b has two places, so one block barrier a step is enough
LAUNCH(32, 32, 32, 32)

__global__ void __launch_bounds__(1024)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_row[32][32];  // row ty is filled and read by warp ty alone
    __shared__ float b_tile[2][32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    int place = 0;

    for (int k0 = 0; k0 < k; k0 += 32, place ^= 1) {
        float x = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        float y = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        b_tile[place][ty][tx] = y;  // last read before the previous step's barrier
        __syncwarp();               // the warp has read its row of the step before
        a_row[ty][tx] = x;
        __syncthreads();
        const float4 *quads = (const float4 *)a_row[ty];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 q = quads[i];
            sum = fmaf(q.x, b_tile[place][i * 4][tx], sum);
            sum = fmaf(q.y, b_tile[place][i * 4 + 1][tx], sum);
            sum = fmaf(q.z, b_tile[place][i * 4 + 2][tx], sum);
            sum = fmaf(q.w, b_tile[place][i * 4 + 3][tx], sum);
        }
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
