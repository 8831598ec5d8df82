// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: four warps bring rows, four take columns, over two tiles with named barriers
template <int N> __device__ __forceinline__ void arrive(int barrier) { asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(N) : "memory"); }
template <int N> __device__ __forceinline__ void wait(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(N) : "memory"); }

LAUNCH(32, 8, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[2][32][33];
    int x = threadIdx.x, y = threadIdx.y % 4, x0 = blockIdx.x * 64, y0 = blockIdx.y * 32;
    if (threadIdx.y < 4) {
        for (int t = 0; t < 2; t++) {
#pragma unroll
            for (int j = y; j < 32; j += 4)
                tile[t][j][x] = y0 + j < height && x0 + t * 32 + x < width ? in[(y0 + j) * width + x0 + t * 32 + x] : 0;
            arrive<256>(1 + t);
        }
        return;
    }
    for (int t = 0; t < 2; t++) {
        wait<256>(1 + t);
#pragma unroll
        for (int j = y; j < 32; j += 4)
            if (x0 + t * 32 + j < width && y0 + x < height)
                out[(x0 + t * 32 + j) * height + y0 + x] = tile[t][x][j];
    }
}
