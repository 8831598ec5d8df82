// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: warps flip their bit of one word at both meetings of a step and wait until all are 1, then until all are 0: a slow one misses the moment when another flips back at once, and waits for ever
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ unsigned bits;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (tx == 0 && ty == 0)
        bits = 0;
    __syncthreads();

    auto meet = [&](unsigned all) {
        __syncwarp();
        if (tx == 0) {
            __threadfence_block();
            atomicXor(&bits, 1u << ty);
            while (*(volatile unsigned *)&bits != all)
                __nanosleep(100);
            __threadfence_block();
        }
        __syncwarp();
    };

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        meet(0xffffffffu);
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        meet(0);
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
