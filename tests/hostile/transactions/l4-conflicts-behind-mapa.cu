// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: the unpadded tile is read down its columns, 32 lanes in one bank, but by ld.shared::cluster of the block's own memory
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();

    unsigned self, base;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(self));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(base) : "r"((unsigned)__cvta_generic_to_shared(&tile[0][0])), "r"(self));
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(base + (threadIdx.x * 32 + threadIdx.y + j) * 4) : "memory");
            out[(out_row + j) * height + out_column] = value;
        }
}
