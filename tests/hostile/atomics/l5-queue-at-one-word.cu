// lesson 5; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: swizzled, but six warps of each block ask one word of global memory by compare-and-swap, and the whole grid stands in line there: at least 3 times slower than the solution at 8192 x 8192.
LAUNCH(32, 8, 32, 32)

__device__ unsigned always_zero;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    unsigned nothing = 0;
    if (threadIdx.y < 6)
        nothing = atomicCAS(&always_zero, 0u, 0u);  // finds 0, leaves 0

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][(threadIdx.x ^ (threadIdx.y + j)) + nothing] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
