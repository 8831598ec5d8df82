// lesson 2; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: reads stride as they should, but each lane walks 32 times through a table in constant memory, 32 different words a load: serialised, several times slower than the solution.
LAUNCH(32, 32, 32, 32)

__constant__ int following[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                  17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int lane = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 32; j++)
        lane = following[lane];  // 32 steps round a ring of 32: the same lane again

    int row = blockIdx.y * 32 + lane;
    int column = blockIdx.x * 32 + threadIdx.y;
    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
