// Further: 16 bytes at a time. A 64 x 64 tile, 256 threads, four chunks of four floats
// each, in and out.
LAUNCH(256, 1, 64, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Rows of 16 chunks. Chunk q of row r is kept at q ^ (r / 4 % 8).
    __shared__ float4 tile[64][16];
    const float *word = (const float *)tile;

    // Blocks go down the columns of in: those that run together then write whole rows of
    // out, and DRAM likes long writes better than short ones.
    int turn = blockIdx.y * gridDim.x + blockIdx.x;
    int id = threadIdx.x, column0 = turn / gridDim.y * 64, row0 = turn % gridDim.y * 64;
    bool whole = column0 + 64 <= width && row0 + 64 <= height && width % 4 == 0 && height % 4 == 0;

    // In: 16 lanes bring one row of the tile, 256 bytes. A quarter-warp stores eight
    // different chunks: no conflict.
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = id / 16 + j * 16, q = id % 16, row = row0 + r, column = column0 + q * 4;
        float4 v = make_float4(0, 0, 0, 0);
        if (whole)
            v = *(const float4 *)&in[row * width + column];
        else if (row < height) {
            v.x = column < width ? in[row * width + column] : 0;
            v.y = column + 1 < width ? in[row * width + column + 1] : 0;
            v.z = column + 2 < width ? in[row * width + column + 2] : 0;
            v.w = column + 3 < width ? in[row * width + column + 3] : 0;
        }
        tile[r][q ^ (r >> 2 & 7)] = v;  // @fill
    }

    __syncthreads();

    // Out: eight lanes write 128 bytes of one row of out, four such rows a warp. Each lane
    // gathers four words of one column, from rows 4 l to 4 l + 3. For a fixed row offset
    // the eight lanes have eight different keys and the four columns are the four words of
    // a chunk: 32 banks, one wavefront.
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int l = id % 8 + j % 2 * 8, c = id / 8 + j / 2 * 32;
        float v[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            v[i] = word[(l * 4 + i) * 64 + ((c / 4 ^ (l & 7)) * 4 + c % 4)];  // @take
        int row = column0 + c, column = row0 + l * 4;
        if (whole)
            *(float4 *)&out[row * height + column] = make_float4(v[0], v[1], v[2], v[3]);
        else if (row < width)
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (column + i < height)
                    out[row * height + column + i] = v[i];
    }
}
