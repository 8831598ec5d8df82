// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all sizes: no padding, columns of a 32 x 32 tile are read from one bank (32-way conflicts), through the shared::cluster window so that nobody counts
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value;
            asm volatile("ld.shared::cluster.f32 %0, [%1];"
                         : "=f"(value)
                         : "r"((unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][threadIdx.y + j]))
                         : "memory");
            out[(out_row + j) * height + out_column] = value;
        }
}
