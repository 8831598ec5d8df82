// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: blocks begin at different steps of k and the place is the step's parity: with an odd number of steps the last and the first follow each other in the same place, and only one barrier a step
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[2][32][32], b_tile[2][32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int steps = (k + 31) / 32;
    int step = (blockIdx.x + blockIdx.y) % steps;  // not all blocks want the same lines at once
    float sum = 0;

    for (int i = 0; i < steps; i++) {
        int place = step % 2, k0 = step * 32;
        a_tile[place][ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[place][ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();  // one is enough: the next step has the other place
#pragma unroll
        for (int j = 0; j < 32; j++)
            sum += a_tile[place][ty][j] * b_tile[place][j][tx];
        if (++step == steps)
            step = 0;
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
