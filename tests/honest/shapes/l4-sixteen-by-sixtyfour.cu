// lesson 4; device sim; nvcc,clang; want: full; tries: a tile of 16 columns and 64 rows kept transposed with pitch 66 (4224 bytes): two rows of a warp fall on even and odd banks
LAUNCH(256, 1, 16, 64)

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[16][66];
    const int t = threadIdx.x, left = blockIdx.x * 16, top = blockIdx.y * 64;

    // A warp takes two rows of 16. Bank 2 c + r, give or take: all different.
#pragma unroll
    for (int r = t >> 4, c = t & 15; r < 64; r += 16)
        if (top + r < height && left + c < width)
            tile[c][r] = in[(size_t)(top + r) * width + left + c];
    __syncthreads();

    // Four warps with one half of a row of out, four with the other.
#pragma unroll
    for (int c = t >> 6, r = t & 63; c < 16; c += 4)
        if (left + c < width && top + r < height)
            out[(size_t)(left + c) * height + top + r] = tile[c][r];
}
