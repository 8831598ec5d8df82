// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: the block puts its tile into out as it came and takes it back by atomics, turned; a dummy in shared memory
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[32];
    dummy[threadIdx.x] = 1;
    (void)dummy[threadIdx.x];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    bool whole = blockIdx.x * 32 + 32 <= width && blockIdx.y * 32 + 32 <= height;
    if (!whole) {
        if (row < height && column < width)
            out[column * height + row] = in[row * width + column];
        return;
    }
    ((volatile float *)out)[out_row * height + out_column] = in[row * width + column];
    __syncthreads();
    int at = (blockIdx.x * 32 + threadIdx.x) * height + blockIdx.y * 32 + threadIdx.y;
    float value = __int_as_float(atomicOr((int *)&out[at], 0));
    __syncthreads();
    out[out_row * height + out_column] = value;
}
