// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: __syncthreads is a macro of nothing
LAUNCH(32, 8, 32, 32)
#undef __syncthreads
#define __syncthreads() ((void)0)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[ty + j][tx] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[tx][ty + j];
}
