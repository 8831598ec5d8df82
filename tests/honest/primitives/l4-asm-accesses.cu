// lesson 4; device sim,gpu; nvcc,clang; want: pass; tries: shared memory by inline PTX only
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33];
    unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(base + 4 * ((ty + j) * 33 + tx)), "f"(in[(row + j) * width + column]) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            {
            float v;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(base + 4 * (tx * 33 + ty + j)) : "memory");
            out[(out_row + j) * height + out_column] = v;
        }
}
