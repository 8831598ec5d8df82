// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: 16 bytes a lane into and out of the tile, XOR on chunk numbers, four coalesced stores from one chunk
LAUNCH(256, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // 32 rows of 8 chunks. Chunk q of row r lies at place q ^ r % 8: eight lanes that fill a row use
    // all banks, and so do eight lanes that take one chunk of eight rows.
    __shared__ float4 tile[32 * 8];

    const int t = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    if ((width & 3) == 0) {
        const int r = t >> 3, q = t & 7;
        float4 four = make_float4(0, 0, 0, 0);
        if (y0 + r < height && x0 + 4 * q < width)
            four = *(const float4 *)(in + (long long)(y0 + r) * width + x0 + 4 * q);
        tile[r << 3 | (q ^ (r & 7))] = four;
    } else {
        // Rows that begin anywhere: a word for each lane, to the same places.
        float *words = (float *)tile;
#pragma unroll
        for (int e = t; e < 1024; e += 256) {
            const int r = e >> 5, c = e & 31;
            words[r << 5 | (((c >> 2) ^ (r & 7)) << 2) | (c & 3)] =
                y0 + r < height && x0 + c < width ? in[(long long)(y0 + r) * width + x0 + c] : 0.0f;
        }
    }

    __syncthreads();

    const int lane = t & 31, q = t >> 5;
    const float4 four = tile[lane << 3 | (q ^ (lane & 7))];
    const int row = x0 + 4 * q, column = y0 + lane;  // of out
    if (column < height) {
        float *to = out + (long long)row * height + column;
        if (row < width)
            to[0] = four.x;
        if (row + 1 < width)
            to[height] = four.y;
        if (row + 2 < width)
            to[2LL * height] = four.z;
        if (row + 3 < width)
            to[3LL * height] = four.w;
    }
}
