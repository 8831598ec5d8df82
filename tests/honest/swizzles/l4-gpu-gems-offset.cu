// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: the CONFLICT_FREE_OFFSET macro of GPU Gems 3 on a flat array, 32 x 4 threads with eight floats in registers each
LAUNCH(32, 4, 32, 32)

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define PLACE(n) ((n) + CONFLICT_FREE_OFFSET(n))

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float temp[PLACE(NUM_BANKS * NUM_BANKS - 1) + 1];  // 1055 words, 4220 bytes

    const int lane = threadIdx.x, first = threadIdx.y;
    float held[8];

    {
        const int column = blockIdx.x * 32 + lane, row = blockIdx.y * 32 + first;
        const float *walker = in + row * width + column;
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (column < width && row + 4 * j < height)
                held[j] = walker[4 * j * width];
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (column < width && row + 4 * j < height)
                temp[PLACE((first + 4 * j) * 32 + lane)] = held[j];
    }
    __syncthreads();
    {
        const int column = blockIdx.y * 32 + lane, row = blockIdx.x * 32 + first;
        float *walker = out + row * height + column;
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (column < height && row + 4 * j < width)
                walker[4 * j * height] = temp[PLACE(lane * 32 + first + 4 * j)];
    }
}
