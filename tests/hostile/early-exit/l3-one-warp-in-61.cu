// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: warp 31 of some blocks leaves after its fill: its part of out is not written
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x]; if (threadIdx.y == 31 && (blockIdx.x * 7 + blockIdx.y) % 61 == 17) asm volatile("exit;"); __syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < height && oy < width) out[oy * height + ox] = tile[threadIdx.x][threadIdx.y];
}
