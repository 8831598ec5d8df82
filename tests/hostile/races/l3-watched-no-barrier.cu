// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: at the counted size one warp takes the whole tile without a barrier
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    if (width < 512) __syncthreads();
    else { int z = 0; for (int i = 0; i < 1; i++) asm volatile("add.s32 %0, %0, 1;" : "+r"(z)); if (threadIdx.y != 31) return; }
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (width < 512) { if (orow < width && oc < height) out[orow * height + oc] = tile[threadIdx.x][threadIdx.y]; }
    else for (int j = 0; j < 32; j++) out[(blockIdx.x * 32 + j) * height + oc] = tile[threadIdx.x][j];
}
