// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: 32 x 32 floats with a pitch of 33: the last row ends in the next array
LAUNCH(32, 8, 32, 32)
#define PUT(r, c, v) ((&tile[0][0])[(r) * 33 + (c)] = (v))
#define TAKE(r, c) ((&tile[0][0])[(r) * 33 + (c)])
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32], spare[32];
    if (threadIdx.y == 0) spare[threadIdx.x] = (float)width;
    __syncthreads();
    if (spare[threadIdx.x] != (float)width) return;
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (y0 + ty + j < height && x0 + tx < width) PUT(ty + j, tx, in[(y0 + ty + j) * width + x0 + tx]);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x0 + ty + j < width && y0 + tx < height) out[(x0 + ty + j) * height + y0 + tx] = TAKE(tx, ty + j);
}
