// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: the column is read by ld.relaxed.cta
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[ty + j][tx] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            {
            unsigned a = (unsigned)__cvta_generic_to_shared(&tile[tx][ty + j]), v;
            asm volatile("ld.relaxed.cta.shared::cta.b32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
            out[(out_row + j) * height + out_column] = __uint_as_float(v);
        }
}
