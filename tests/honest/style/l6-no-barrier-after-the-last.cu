// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: the solution's loop turned inside out: the second barrier is met only where another step follows, which is the same for all threads since k0 and k are, and nothing is stored in a tile after the last step, so that it protects nothing there
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float tiles[2][32][32];  // of a and of b
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const float *pa = a + (row < m ? row : 0) * k + tx;       // a row that exists
    const float *pb = b + ty * n + (column < n ? column : 0); // a column that exists
    float sum = 0;

    for (int left = k;;) {
        tiles[0][ty][tx] = tx < left ? *pa : 0.0f;
        tiles[1][ty][tx] = ty < left ? *pb : 0.0f;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = fmaf(tiles[0][ty][i], tiles[1][i][tx], sum);

        left -= 32;
        if (left <= 0)
            break;
        pa += 32;
        pb += 32 * n;
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
