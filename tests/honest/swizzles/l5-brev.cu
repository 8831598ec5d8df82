// lesson 5; device sim,gpu; nvcc,clang; want: pass; tries: the key is the row with its five bits reversed
LAUNCH(32, 8, 32, 32)
__device__ unsigned key(unsigned r) { return __brev(r) >> 27; }
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    unsigned x = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll 4
    for (unsigned r = threadIdx.y; r < 32; r += 8)
        if (top + r < height && left + x < width) tile[r][x ^ key(r)] = in[(top + r) * width + left + x];
    __syncthreads();
#pragma unroll 4
    for (unsigned c = threadIdx.y; c < 32; c += 8)
        if (left + c < width && top + x < height) out[(left + c) * height + top + x] = tile[x][c ^ key(x)];
}
