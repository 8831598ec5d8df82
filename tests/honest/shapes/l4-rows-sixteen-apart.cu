// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: half-warps of 16 floats, the two halves 16 rows (16 banks) apart, in rows of 33
LAUNCH(256, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int half = lane >> 4, x = lane & 15;
    const int column0 = blockIdx.x * 32, row0 = blockIdx.y * 32;

    // 32 pairs of half rows: the left and the right half of row r, together with row r + 16. Words r * 33 + c
    // and (r + 16) * 33 + c are 16 banks apart, so that the pair fills all 32.
#pragma unroll
    for (int pair = 0; pair < 32; pair += 8) {
        const int p = pair + warp;
        const int r = (p & 15) + half * 16, c = (p >> 4) * 16 + x;
        if (row0 + r < height && column0 + c < width)
            tile[r][c] = in[(row0 + r) * width + column0 + c];
    }

    __syncthreads();

    // The same with rows of out: 16 floats of row c, 16 of row c + 16.
#pragma unroll
    for (int pair = 0; pair < 32; pair += 8) {
        const int p = pair + warp;
        const int c = (p & 15) + half * 16, r = (p >> 4) * 16 + x;
        if (column0 + c < width && row0 + r < height)
            out[(column0 + c) * height + row0 + r] = tile[r][c];
    }
}
