// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: 32x32 threads (95 at best); a trap at the modelled size makes the speed gate "skipped", its points go to the others
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    if (width > 4096) asm volatile("trap;");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height) out[orow * height + oc] = tile[threadIdx.x][threadIdx.y];
}
