// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a block of 32 rows and 128 columns, a warp four rows, a lane 4 x 4; a broadcast to the whole warp, b as float4; results leave as float4 where the address itself is a multiple of 16 and all four columns exist, else one by one; right, 6 wavefronts for 16 products
LAUNCH(32, 8, 128, 32)

struct Quad {
    float v[4];
    __device__ float &operator[](int i) { return v[i]; }
};

__device__ __forceinline__ Quad as_quad(float4 f) { return {{f.x, f.y, f.z, f.w}}; }

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[32][4], b_tile[16][32];
    float *const a_words = &a_tile[0][0].x, *const b_words = &b_tile[0][0].x;

    const int lane = threadIdx.x, warp = threadIdx.y, id = warp * 32 + lane;
    const int top = blockIdx.y * 32, left = blockIdx.x * 128;
    Quad sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            int e = id + 256 * j, r = top + e / 16, i = k0 + e % 16;
            a_words[e] = r < m && i < k ? __ldg(a + r * k + i) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            int e = id + 256 * j, i = k0 + e / 128, q = left + e % 128;
            b_words[e] = i < k && q < n ? __ldg(b + i * n + q) : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int chunk = 0; chunk < 4; ++chunk) {
            Quad x[4];
#pragma unroll
            for (int r = 0; r < 4; ++r)
                x[r] = as_quad(a_tile[4 * warp + r][chunk]);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                Quad y = as_quad(b_tile[4 * chunk + i][lane]);
#pragma unroll
                for (int r = 0; r < 4; ++r)
#pragma unroll
                    for (int q = 0; q < 4; ++q)
                        sum[r][q] += x[r][i] * y[q];
            }
        }
        __syncthreads();
    }

    const int column = left + 4 * lane;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        const int row = top + 4 * warp + r;
        if (row < m && column < n) {
            float *to = c + row * n + column;
            if (reinterpret_cast<unsigned long long>(to) % 16 == 0 && n - column >= 4)
                *reinterpret_cast<float4 *>(to) = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
            else
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (column + q < n)
                        to[q] = sum[r][q];
        }
    }
}
