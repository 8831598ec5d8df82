// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: each half of the block waits at a barrier of its own
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x]; asm volatile("bar.sync %0, 512;" :: "r"((int)threadIdx.y / 16) : "memory");
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < height && oy < width) out[oy * height + ox] = tile[threadIdx.x][threadIdx.y];
}
