// lesson 6; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: only b has a tile: a stays in registers and goes from lane to lane by shuffles, and the finished sums change places in shared memory at the end so that all of c came through it
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        float mine = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += __shfl_sync(0xffffffff, mine, i) * b_tile[i][tx];
        __syncthreads();
    }

    // The lane's neighbour writes it.
    b_tile[ty][tx] = sum;
    __syncwarp();
    sum = b_tile[ty][tx ^ 1];
    column ^= 1;
    if (row < m && column < n)
        c[row * n + column] = sum;
}
