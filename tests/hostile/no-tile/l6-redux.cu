// lesson 6; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: all sizes: factors of a are handed from lane to lane, by redux.sync instead of shuffles (one for each multiplication of a warp); a_tile is read once a step for show
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

        unsigned mine = __float_as_uint(a_tile[ty][tx]);
#pragma unroll
        for (int i = 0; i < 32; i++) {
            unsigned one = tx == i ? mine : 0, all;
            asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(one));
            sum += __uint_as_float(all) * b_tile[i][tx];
        }
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
