// lesson 6; device sim; nvcc,clang; want: fail|timeout; tries: a barrier of counter and generation whose waiter reads the generation after it has arrived: if the last warp opens in between, the waiter takes the new generation for the old one and waits for ever
// 06 tiled GEMM. Solution.
LAUNCH(32, 32, 32, 32)

// All warps of the block meet here: a counter and a generation.
__device__ void meet(unsigned *count, volatile unsigned *generation)
{
    __syncwarp();
    if (threadIdx.x == 0) {
        __threadfence_block();
        if (atomicAdd(count, 1u) == 31) {
            atomicExch(count, 0u);
            __threadfence_block();
            *generation = *generation + 1;  // open
        } else {
            unsigned now = *generation;
            while (*generation == now) {
            }
        }
        __threadfence_block();
    }
    __syncwarp();
}

__global__ void __launch_bounds__(32 * 32) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    __shared__ unsigned count;
    __shared__ volatile unsigned generation;
    if (threadIdx.x + threadIdx.y == 0) {
        count = 0;
        generation = 0;
    }
    __syncthreads();
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        meet(&count, &generation);
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        meet(&count, &generation);
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
