// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: rows leave by bulk copies to global memory
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(128) float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    bool whole = width % 32 == 0 && height % 32 == 0;
    if (whole) {
        tile[threadIdx.x][threadIdx.y] = in[row * width + column];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.y == 0) {
            unsigned s = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][0]);
            float *to = out + (blockIdx.x * 32 + threadIdx.x) * height + blockIdx.y * 32;
            for (int i = 0; i < 8; i++)
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(__cvta_generic_to_global(to + 4 * i)), "r"(s + 16 * i) : "memory");
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
            volatile float *t = &tile[threadIdx.x][0]; (void)t[0];
        }
    } else if (row < height && column < width) out[column * height + row] = in[row * width + column];
}
