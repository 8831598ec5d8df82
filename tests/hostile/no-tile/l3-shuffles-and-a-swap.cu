// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: each warp turns 32 x 32 floats by shuffles; shared memory only swaps neighbouring lanes, for show, in 128 words a warp
LAUNCH(32, 8, 32, 256)  // each warp has 32 x 32 floats of its own

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float show[8][4][32];

    int lane = threadIdx.x, warp = threadIdx.y;
    int column = blockIdx.x * 32 + lane;
    int row0 = blockIdx.y * 256 + warp * 32;

    float v[32];
#pragma unroll
    for (int r = 0; r < 32; r++)
        v[r] = row0 + r < height && column < width ? in[(row0 + r) * width + column] : 0.0f;

    // Through shared memory, and put there by another thread: the lane next door.
#pragma unroll
    for (int r = 0; r < 32; r += 4) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            show[warp][j][lane] = v[r + j];
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 4; j++)
            v[r + j] = show[warp][j][lane ^ 1];
        __syncwarp();
    }

    // The transpose, by shuffles alone: 16 x 16 quarters change places, then 8 x 8 …
#pragma unroll
    for (int s = 16; s > 0; s /= 2) {
        bool upper = lane & s;
#pragma unroll
        for (int r = 0; r < 32; r++)
            if ((r & s) == 0) {
                float got = __shfl_xor_sync(0xffffffff, upper ? v[r] : v[r | s], s);
                if (upper)
                    v[r] = got;
                else
                    v[r | s] = got;
            }
    }

    // Register c now holds column c ^ 1, since the lanes were swapped.
#pragma unroll
    for (int c = 0; c < 32; c++) {
        int out_row = blockIdx.x * 32 + (c ^ 1), out_column = row0 + lane;
        if (out_row < width && out_column < height)
            out[out_row * height + out_column] = v[c];
    }
}
