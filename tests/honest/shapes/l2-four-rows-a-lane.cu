// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 8 x 32 threads, each gathers four rows of one column and writes them as one float4; odd heights take another path
LAUNCH(8, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    if (height % 4 == 0) {
        // Rows of out begin at multiples of 16 bytes. Eight lanes write 32 neighbours of one
        // row of out, a warp four such rows.
        const int row = y0 + 4 * threadIdx.x, column = x0 + threadIdx.y;
        if (row < height && column < width) {
            const float *from = in + (size_t)row * width + column;
            float4 four;
            four.x = from[0];
            four.y = from[width];
            four.z = from[2 * (size_t)width];
            four.w = from[3 * (size_t)width];
            *(float4 *)(out + (size_t)column * height + row) = four;
        }
        return;
    }

    // 32 lanes down one column, and the next warp takes the next column: four turns.
    const int id = threadIdx.y * 8 + threadIdx.x, row = y0 + id % 32;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        const int column = x0 + id / 32 + j;
        if (row < height && column < width)
            out[(size_t)column * height + row] = in[(size_t)row * width + column];
    }
}
