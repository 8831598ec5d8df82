// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: siboehm-like template, flat block of 128 threads with 8 x 4 results each, next tile prefetched in registers
LAUNCH(128, 1, 64, 64)

template <int BM, int BN, int BK, int TM, int TN>
struct Sgemm {
    static constexpr int kThreads = BM * BN / (TM * TN);
    static constexpr int kLoadsA = BM * BK / kThreads, kLoadsB = BK * BN / kThreads;
    static_assert(TN == 4 && BK % 4 == 0, "16-byte reads");

    struct Shared {
        float4 As[BM][BK / 4];
        float4 Bs[BK][BN / 4];
    };

    static __device__ __forceinline__ void run(Shared &shared, float *C, const float *A, const float *B, int M, int N, int K)
    {
        const int tid = threadIdx.x;
        const int cRow = blockIdx.y * BM, cCol = blockIdx.x * BN;
        const int threadCol = tid % (BN / TN), threadRow = tid / (BN / TN);

        float stageA[kLoadsA], stageB[kLoadsB];
        auto load = [&](int bk) {
#pragma unroll
            for (int j = 0; j < kLoadsA; ++j) {
                const int e = tid + j * kThreads, r = cRow + e / BK, i = bk + e % BK;
                stageA[j] = r < M && i < K ? A[r * K + i] : 0.0f;
            }
#pragma unroll
            for (int j = 0; j < kLoadsB; ++j) {
                const int e = tid + j * kThreads, i = bk + e / BN, q = cCol + e % BN;
                stageB[j] = i < K && q < N ? B[i * N + q] : 0.0f;
            }
        };
        auto store = [&] {
            float *as = reinterpret_cast<float *>(shared.As), *bs = reinterpret_cast<float *>(shared.Bs);
#pragma unroll
            for (int j = 0; j < kLoadsA; ++j)
                as[tid + j * kThreads] = stageA[j];
#pragma unroll
            for (int j = 0; j < kLoadsB; ++j)
                bs[tid + j * kThreads] = stageB[j];
        };

        float threadResults[TM][TN] = {};
        load(0);
        for (int bk = 0; bk < K; bk += BK) {
            store();
            __syncthreads();
            if (bk + BK < K)
                load(bk + BK);

#pragma unroll
            for (int dot4 = 0; dot4 < BK / 4; ++dot4) {
                float4 regM[TM];
#pragma unroll
                for (int r = 0; r < TM; ++r)
                    regM[r] = shared.As[threadRow * TM + r][dot4];
                const float4 n0 = shared.Bs[dot4 * 4 + 0][threadCol], n1 = shared.Bs[dot4 * 4 + 1][threadCol];
                const float4 n2 = shared.Bs[dot4 * 4 + 2][threadCol], n3 = shared.Bs[dot4 * 4 + 3][threadCol];
#pragma unroll
                for (int r = 0; r < TM; ++r) {
                    axpy(threadResults[r], regM[r].x, n0);
                    axpy(threadResults[r], regM[r].y, n1);
                    axpy(threadResults[r], regM[r].z, n2);
                    axpy(threadResults[r], regM[r].w, n3);
                }
            }
            __syncthreads();
        }

#pragma unroll
        for (int r = 0; r < TM; ++r)
#pragma unroll
            for (int q = 0; q < TN; ++q) {
                const int row = cRow + threadRow * TM + r, col = cCol + threadCol * TN + q;
                if (row < M && col < N)
                    C[row * N + col] = threadResults[r][q];
            }
    }

    static __device__ __forceinline__ void axpy(float (&to)[TN], float x, const float4 &y)
    {
        to[0] = fmaf(x, y.x, to[0]);
        to[1] = fmaf(x, y.y, to[1]);
        to[2] = fmaf(x, y.z, to[2]);
        to[3] = fmaf(x, y.w, to[3]);
    }
};

__global__ void __launch_bounds__(128, 4) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using Gemm = Sgemm<64, 64, 16, 8, 4>;
    __shared__ Gemm::Shared shared;
    Gemm::run(shared, c, a, b, m, n, k);
}
