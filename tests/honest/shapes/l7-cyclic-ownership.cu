// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a thread's 4 x 4 elements are 16 apart (cyclic), b comes one word a lane, a as float4 along k; stores of c are coalesced
LAUNCH(16, 16, 64, 64)

struct Four {
    float v[4];
    __device__ explicit Four(const float *from)
    {
        const float4 q = *reinterpret_cast<const float4 *>(from);
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    }
    __device__ float operator[](int i) const { return v[i]; }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    constexpr int STEP = 16, SIDE = 64, T = 16;
    __shared__ __align__(16) float a_tile[SIDE][STEP];
    __shared__ __align__(16) float b_tile[STEP][SIDE];

    const unsigned tx = threadIdx.x, ty = threadIdx.y, id = ty * T + tx;
    const unsigned row0 = blockIdx.y * SIDE, column0 = blockIdx.x * SIDE;
    const unsigned M = m, N = n, K = k;
    float sum[4][4] = {};

    for (unsigned k0 = 0; k0 < K; k0 += STEP) {
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned r = row0 + ty + T * j, i = k0 + tx;
            a_tile[ty + T * j][tx] = r < M && i < K ? a[size_t(r) * K + i] : 0.0f;
        }
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned i = id / SIDE + 4 * j, q = id % SIDE;
            b_tile[i][q] = k0 + i < K && column0 + q < N ? b[size_t(k0 + i) * N + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < STEP; i += 4) {
            const Four x[4] = {Four(&a_tile[ty][i]), Four(&a_tile[ty + T][i]), Four(&a_tile[ty + 2 * T][i]),
                               Four(&a_tile[ty + 3 * T][i])};
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int q = 0; q < 4; ++q) {
                    const float y = b_tile[i + j][tx + T * q];
#pragma unroll
                    for (int p = 0; p < 4; ++p)
                        sum[p][q] += x[p][j] * y;
                }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; ++p)
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const unsigned r = row0 + ty + T * p, s = column0 + tx + T * q;
            if (r < M && s < N)
                c[size_t(r) * N + s] = sum[p][q];
        }
}
