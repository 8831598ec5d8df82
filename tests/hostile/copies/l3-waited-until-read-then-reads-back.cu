// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: block 0's rows take a bulk store to out; .read is waited for (the source was read), then out is read as if they had arrived
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ alignas(128) float tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (row < height && column < width)
        tile[ty][tx] = in[row * width + column];
    if (blockIdx.x + blockIdx.y == 0 && width >= 32 && height >= 32 && height % 4 == 0) {
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        if (tx + ty == 0) {
            for (int r = 0; r < 32; r++)
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;"
                             :: "l"(__cvta_generic_to_global(&out[r * height])),
                                "r"((unsigned)__cvta_generic_to_shared(&tile[r][0])) : "memory");
            asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads();
        tile[ty][tx] = *(volatile float *)&out[ty * height + tx];
    }
    __syncthreads();

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[tx][ty];
}
