// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: four warps fill the swizzled tile and return, the other four wait at __syncthreads(), which opens only because ended threads are not counted: the fillers skip the barrier that should order their stores
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int y = threadIdx.y % 4;

    if (threadIdx.y < 4) {
        int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + y;
#pragma unroll
        for (int j = 0; j < 32; j += 4) {
            int r = y + j;
            if (row + j < height && column < width)
                tile[r][threadIdx.x ^ r] = in[(row + j) * width + column];
        }
        return;
    }

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = y + j;
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][c ^ threadIdx.x];
    }
}
