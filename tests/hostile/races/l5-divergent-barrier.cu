// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: odd and even lanes of one warp come to two different bar.sync instructions; bar.sync is .aligned, so a diverged warp there is undefined behaviour
LAUNCH(32, 4, 32, 32)  // eight elements a thread

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][threadIdx.x ^ r] = in[(row + j) * width + column];  // @fill
    }

    if (threadIdx.x & 1)
        asm volatile("bar.sync 0;" ::: "memory");
    else {
        __threadfence_block();
        asm volatile("bar.sync 0;" ::: "memory");
    }

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][c ^ threadIdx.x];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
