// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: every warp turns a 32 x 8 tile of its own in shared memory, ordered by __syncwarp alone
LAUNCH(32, 8, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[8][8][33];  // [warp][column][row]
    int lane = threadIdx.x, w = threadIdx.y;
    int x0 = blockIdx.x * 32 + w % 4 * 8, y0 = blockIdx.y * 64 + w / 4 * 32;

    int c = lane % 8, r = lane / 8;
    float got[8];
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int y = y0 + j * 4 + r;
        got[j] = x0 + c < width && y < height ? in[y * width + x0 + c] : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
        tile[w][c][j * 4 + r] = got[j];
    __syncwarp();
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (x0 + j < width && y0 + lane < height)
            out[(x0 + j) * height + y0 + lane] = tile[w][j][lane];
}
