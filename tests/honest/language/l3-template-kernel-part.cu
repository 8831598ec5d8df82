// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the kernel calls a template over shape and type
LAUNCH(32, 8, 32, 32)

template <int SIDE, int ROWS, typename T> __device__ void turn(T *out, const T *in, int width, int height)
{
    __shared__ T tile[SIDE][SIDE + 1];
    const int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE, i = threadIdx.x;
#pragma unroll
    for (int j = threadIdx.y; j < SIDE; j += ROWS)
        if (y + j < height && x + i < width)
            tile[j][i] = in[(y + j) * width + x + i];
    __syncthreads();
#pragma unroll
    for (int j = threadIdx.y; j < SIDE; j += ROWS)
        if (x + j < width && y + i < height)
            out[(x + j) * height + y + i] = tile[i][j];
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    turn<32, 8>(out, in, width, height);
}
