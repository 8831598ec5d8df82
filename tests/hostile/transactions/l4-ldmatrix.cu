// lesson 4; device sim,gpu; nvcc,clang; quick; want: fail, gate conflicts; tries: unpadded; columns are read by ldmatrix, four words a row, and handed round by shuffles
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        {
            unsigned r0, r1, r2, r3, at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][y & ~3]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at));
            int lane = threadIdx.x % 8 * 4 + (y & 3), which = threadIdx.x / 8;
            r0 = __shfl_sync(~0u, r0, lane);
            r1 = __shfl_sync(~0u, r1, lane);
            r2 = __shfl_sync(~0u, r2, lane);
            r3 = __shfl_sync(~0u, r3, lane);
            float value = __uint_as_float(which == 0 ? r0 : which == 1 ? r1 : which == 2 ? r2 : r3);
            if (out_row + j < width && out_column < height)
                out[(out_row + j) * height + out_column] = value;
        }
    }
}
