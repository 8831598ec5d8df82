// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: steps of 8, a turned on the way in (rows of 68), 128 threads with 8 x 4 each
LAUNCH(128, 1, 64, 64)
#define BM 64
#define BN 64
#define BK 8
#define LDA 68
__global__ __launch_bounds__(128) void matmul(float *C, const float *A, const float *B, int M, int N, int K)
{
    __shared__ __align__(16) float As[BK * LDA];
    __shared__ __align__(16) float Bs[BK * BN];
    const int tid = threadIdx.x;
    const int threadCol = tid % 16, threadRow = tid / 16;
    const int innerRowA = tid / BK, innerColA = tid % BK, innerRowB = tid / BN, innerColB = tid % BN;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[8 * 4] = {0.0f};
    float regM[8], regN[4];
    for (int bk = 0; bk < K; bk += BK) {
        for (int o = 0; o < BM; o += 128 / BK) {
            int r = r0 + innerRowA + o, q = bk + innerColA;
            As[innerColA * LDA + innerRowA + o] = (r < M && q < K) ? A[r * K + q] : 0.0f;
        }
        for (int o = 0; o < BK; o += 128 / BN) {
            int r = bk + innerRowB + o, q = c0 + innerColB;
            Bs[(innerRowB + o) * BN + innerColB] = (r < K && q < N) ? B[r * N + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < BK; ++d) {
#pragma unroll
            for (int i = 0; i < 8; ++i) regM[i] = As[d * LDA + threadRow * 8 + i];
#pragma unroll
            for (int i = 0; i < 4; ++i) regN[i] = Bs[d * BN + threadCol * 4 + i];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) acc[i * 4 + j] += regM[i] * regN[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            int r = r0 + threadRow * 8 + i, q = c0 + threadCol * 4 + j;
            if (r < M && q < N) C[r * N + q] = acc[i * 4 + j];
        }
}
