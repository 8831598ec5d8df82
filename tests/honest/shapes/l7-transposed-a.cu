// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 128 x 64 a block, 8 x 4 a thread; a's tile is kept transposed, with eight-word groups XORed by k / 4, so both factors come as float4 for one k
LAUNCH(256, 1, 64, 128)

__device__ float4 four(const float *from, size_t at, int have, bool whole)
{
    if (whole && have > 0)
        return *reinterpret_cast<const float4 *>(from + at);
    return make_float4(have > 0 ? from[at] : 0.0f, have > 1 ? from[at + 1] : 0.0f,
                       have > 2 ? from[at + 2] : 0.0f, have > 3 ? from[at + 3] : 0.0f);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_turned[16][128];  // element (r, i) at [i][r ^ 8 (i / 4)]
    __shared__ __align__(16) float b_tile[16][64];

    const int id = threadIdx.x, tx = id % 16, ty = id / 16;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const bool whole_a = k % 4 == 0, whole_n = n % 4 == 0;
    float sum[8][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        // A warp brings 8 rows x 4 chunks of a. Stored turned, its 32 words go to 32 banks.
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const int e = id + 256 * j, r = e / 32 * 8 + e % 8, q = e / 8 % 4;
            const float4 v = four(a, (size_t)(row0 + r) * k + k0 + 4 * q, row0 + r < m ? k - k0 - 4 * q : 0, whole_a);
            const int place = r ^ 8 * q;
            a_turned[4 * q][place] = v.x;
            a_turned[4 * q + 1][place] = v.y;
            a_turned[4 * q + 2][place] = v.z;
            a_turned[4 * q + 3][place] = v.w;
        }
        {
            const int i = k0 + id / 16, q = column0 + id % 16 * 4;
            *reinterpret_cast<float4 *>(&b_tile[id / 16][id % 16 * 4]) = four(b, (size_t)i * n + q, i < k ? n - q : 0, whole_n);
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int key = 8 * (i / 4);
            const float4 u = *reinterpret_cast<const float4 *>(&a_turned[i][4 * ty ^ key]);
            const float4 l = *reinterpret_cast<const float4 *>(&a_turned[i][(64 + 4 * ty) ^ key]);
            const float4 y = *reinterpret_cast<const float4 *>(&b_tile[i][4 * tx]);
            const float x[8] = {u.x, u.y, u.z, u.w, l.x, l.y, l.z, l.w};
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                sum[p][0] = fmaf(x[p], y.x, sum[p][0]);
                sum[p][1] = fmaf(x[p], y.y, sum[p][1]);
                sum[p][2] = fmaf(x[p], y.z, sum[p][2]);
                sum[p][3] = fmaf(x[p], y.w, sum[p][3]);
            }
        }
        __syncthreads();
    }

    const int column = column0 + 4 * tx;
#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const int row = row0 + p / 4 * 64 + 4 * ty + p % 4;
        if (row < m) {
            float *to = c + (size_t)row * n;
            if (whole_n && column < n)
                *reinterpret_cast<float4 *>(to + column) = make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
            else
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (column + q < n)
                        to[column + q] = sum[p][q];
        }
    }
}
