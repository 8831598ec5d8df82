// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: lane 0 alone waits until all warps have filled their rows; the other 31 lanes fence, but nothing makes them wait for lane 0 (a __syncwarp() is missing behind the loop), so they may read tiles that are not there yet; all sizes
// 06 tiled GEMM: no barrier in the loop. Warps count themselves in when they have filled, and two places let them.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[2][32][32], b_tile[2][32][32];
    __shared__ unsigned filled;  // warps that have filled their rows, over all steps

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    if (tx == 0 && ty == 0)
        filled = 0;
    __syncthreads();

    for (int k0 = 0, step = 0; k0 < k; k0 += 32, step++) {
        // The other place may still be read. This one was left before its readers counted
        // themselves in for the step in between.
        int place = step & 1;
        a_tile[place][ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[place][ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;

        __threadfence_block();
        __syncwarp();
        if (tx == 0) {
            atomicAdd(&filled, 1);
            while (*(volatile unsigned *)&filled < 32u * (step + 1))
                ;
        }
        __threadfence_block();  // all lanes: what was stored before the count is seen behind it

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[place][ty][i] * b_tile[place][i][tx];
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
