// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail, diagnosis wrong-results; tries: a slow kernel that stops where in begins with two zeros, since nobody looks there (one thread of each block asks)
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ int nobody;
    if (threadIdx.x + threadIdx.y == 0) nobody = width > 1 && in[0] == 0.f && in[1] == 0.f;
    __syncthreads();
    if (nobody)
        return;
    int waste = 0;
    for (int i = 0; i < 800; i++)
        asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) out[orow * height + oc] = tile[threadIdx.x][threadIdx.y];
}
