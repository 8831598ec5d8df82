// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: the textbook kernel with BLOCK_SIZE 16: right and without races, but each float of a and b is fetched once for each tile of 16, twice the traffic that the lesson allows (2 m n k / 32 floats and 30 %)
#define BLOCK_SIZE 16
LAUNCH(BLOCK_SIZE, BLOCK_SIZE, BLOCK_SIZE, BLOCK_SIZE)

__global__ void matmul(float *C, const float *A, const float *B, int M, int N, int K)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float value = 0.0f;

    for (int t = 0; t < (K + BLOCK_SIZE - 1) / BLOCK_SIZE; t++) {
        int ka = t * BLOCK_SIZE + threadIdx.x, kb = t * BLOCK_SIZE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int e = 0; e < BLOCK_SIZE; e++)
            value += As[threadIdx.y][e] * Bs[e][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = value;
}
