// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: the barrier is a __syncthreads_count whose answer decides whether the stores need guards
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    float got[8];
    bool all = true;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        bool inside = column < width && row + j * 4 < height;
        got[j] = inside ? in[(row + j * 4) * width + column] : 0.0f;
        all = all && inside;
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
        tile[ty + j * 4][tx ^ (ty + j * 4)] = got[j];

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (__syncthreads_count(all) == 128) {
#pragma unroll
        for (int j = 0; j < 32; j += 4)
            out[(out_row + j) * height + out_column] = tile[tx][(ty + j) ^ tx];
    } else {
#pragma unroll
        for (int j = 0; j < 32; j += 4)
            if (out_row + j < width && out_column < height)
                out[(out_row + j) * height + out_column] = tile[tx][(ty + j) ^ tx];
    }
}
