// lesson 6; device sim; nvcc,clang; want: full; tries: static tiles of which a local array of pointers is made: float (*a_tile[2])[32] = {a0, a1}, chosen by turn & 1
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a0[32][32], a1[32][32];
    __shared__ __align__(16) float b0[32][32], b1[32][32];
    float(*a_tile[2])[32] = {a0, a1};
    float(*b_tile[2])[32] = {b0, b1};

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int turn = 0; turn * 32 < k; turn++) {
        float(*x)[32] = a_tile[turn & 1];
        float(*y)[32] = b_tile[turn & 1];
        x[ty][tx] = row < m && turn * 32 + tx < k ? a[row * k + turn * 32 + tx] : 0.0f;
        y[ty][tx] = turn * 32 + ty < k && column < n ? b[(turn * 32 + ty) * n + column] : 0.0f;
        __syncthreads();  // two places: one barrier is enough
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float4 v = *(const float4 *)&x[ty][i];
            sum += v.x * y[i][tx] + v.y * y[i + 1][tx] + v.z * y[i + 2][tx] + v.w * y[i + 3][tx];
        }
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
