// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: a quarter of the blocks, 32 x 16 threads each, that draw 32 x 32 tiles of c in strides of the whole grid; two rows a thread, factors of a by 16 bytes; both barriers in each step also part one tile of c from the next
LAUNCH(32, 16, 64, 64)

__global__ void matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ float4 a_tile[32][8];
    __shared__ float b_tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int across = (n + 31) / 32, tiles = across * ((m + 31) / 32);

    for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < tiles; tile += gridDim.x * gridDim.y) {
        const int row0 = tile / across * 32, column = tile % across * 32 + tx;
        float upper = 0.0f, lower = 0.0f;
        for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
            for (int r = ty; r < 32; r += 16) {
                reinterpret_cast<float *>(a_tile[r])[tx] =
                    row0 + r < m && k0 + tx < k ? a[(row0 + r) * k + k0 + tx] : 0.0f;
                b_tile[r][tx] = k0 + r < k && column < n ? b[(k0 + r) * n + column] : 0.0f;
            }
            __syncthreads();
#pragma unroll
            for (int q = 0; q < 8; q++) {
                const float4 u = a_tile[ty][q], v = a_tile[ty + 16][q];
                const float b0 = b_tile[4 * q][tx], b1 = b_tile[4 * q + 1][tx];
                const float b2 = b_tile[4 * q + 2][tx], b3 = b_tile[4 * q + 3][tx];
                upper = fmaf(u.x, b0, upper), lower = fmaf(v.x, b0, lower);
                upper = fmaf(u.y, b1, upper), lower = fmaf(v.y, b1, lower);
                upper = fmaf(u.z, b2, upper), lower = fmaf(v.z, b2, lower);
                upper = fmaf(u.w, b3, upper), lower = fmaf(v.w, b3, lower);
            }
            __syncthreads();
        }
        if (column < n) {
            if (row0 + ty < m)
                c[(row0 + ty) * n + column] = upper;
            if (row0 + ty + 16 < m)
                c[(row0 + ty + 16) * n + column] = lower;
        }
    }
}
