// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the barrier behind every fourth tile is missing, so that from k = 129 on the next tile is filled while slow warps still multiply with the fourth
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int first = 0; first < k; first += 128) {
#pragma unroll
        for (int part = 0; part < 4; part++) {
            int k0 = first + part * 32;
            if (k0 >= k)
                break;
            a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
            b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
            __syncthreads();

#pragma unroll
            for (int i = 0; i < 32; i++)
                sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
            if (part < 3)  // between the tiles of a group
                __syncthreads();
        }
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
