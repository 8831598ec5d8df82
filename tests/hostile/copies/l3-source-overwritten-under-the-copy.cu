// lesson 3; device sim; nvcc,clang; want: fail|timeout; tries: warp 0 of block 0 stages its row in its own places of out, and clears these before its cp.async from there was waited for
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (blockIdx.x + blockIdx.y + ty == 0 && width >= 32 && height >= 32) {
        float *place = &out[ty * height + tx];
        *(volatile float *)place = in[row * width + column];
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :: "r"((unsigned)__cvta_generic_to_shared(&tile[ty][tx])), "l"(__cvta_generic_to_global(place)) : "memory");
        *(volatile float *)place = 0.0f;
        asm volatile("cp.async.wait_all;" ::: "memory");
    } else if (row < height && column < width)
        tile[ty][tx] = in[row * width + column];
    __syncthreads();

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[tx][ty];
}
