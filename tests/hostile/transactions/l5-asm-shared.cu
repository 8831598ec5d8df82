// lesson 5; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: a padded tile declared by inline PTX
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    unsigned long long base;
    asm volatile("{ .shared .align 4 .b8 hidden[4224]; .reg .b64 t; mov.u64 t, hidden; cvta.shared.u64 %0, t; }" : "=l"(base));
    float (*tile)[33] = (float (*)[33])base;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (orow + j < width && oc < height) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
