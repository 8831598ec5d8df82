// lesson 4; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: padded, but each float becomes a double and a float again 12 times (24 conversions at 16 lanes a clock): about 3 times slower than the solution on an H200.
LAUNCH(32, 8, 32, 32)

__device__ __forceinline__ float there_and_back(float x, double one)
{
#pragma unroll
    for (int j = 0; j < 12; j++) {
        double d;
        asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
        d *= one;  // exact
        asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(x) : "d"(d));
    }
    return x;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    double one = width > 0 ? 1.0 : 2.0;

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];  // @take
            out[(out_row + j) * height + out_column] = there_and_back(value, one);
        }
}
