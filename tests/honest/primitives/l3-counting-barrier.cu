// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: __syncthreads_count as the barrier, its result a guard
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    bool is = c < width && r < height;
    if (is) tile[threadIdx.y][threadIdx.x] = in[r * width + c];
    int filled = __syncthreads_count(is);
    if (!filled) return;
    r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + threadIdx.y;
    if (filled == 1024 || (c < width && r < height)) out[c * height + r] = tile[threadIdx.x][threadIdx.y];
}
