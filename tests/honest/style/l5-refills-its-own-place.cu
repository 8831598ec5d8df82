// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: four tiles pass through one array with one barrier each: a thread puts its element of the next tile into the very place that it alone has just read, so no other thread can still want it, the layout is [r][c ^ r] and [c][r ^ c] by turns, both free of conflicts, and places without an element hold zeros
LAUNCH(32, 8, 128, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 32 + ty, column0 = blockIdx.x * 128;
    int out_column = blockIdx.y * 32 + tx;
    float v[4];

#pragma unroll
    for (int i = 0; i < 4; i++) {
        int r = ty + 8 * i;
        tile[r][tx ^ r] = row + 8 * i < height && column0 + tx < width
                              ? in[(row + 8 * i) * width + column0 + tx] : 0.0f;
    }

#pragma unroll
    for (int t = 0; t < 4; t++) {
        int next = column0 + (t + 1) * 32 + tx;
        if (t < 3) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                v[i] = row + 8 * i < height && next < width ? in[(row + 8 * i) * width + next] : 0.0f;
        }

        __syncthreads();

#pragma unroll
        for (int i = 0; i < 4; i++) {
            int c = ty + 8 * i;  // wants element (tx, c); brings element (c, tx) of the next tile
            float *place = t % 2 == 0 ? &tile[tx][c ^ tx] : &tile[c][tx ^ c];
            float value = *place;
            if (t < 3)
                *place = v[i];
            int out_row = column0 + t * 32 + c;
            if (out_row < width && out_column < height)
                out[out_row * height + out_column] = value;
        }
    }
}
