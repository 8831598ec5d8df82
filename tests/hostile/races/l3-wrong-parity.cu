// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: waits for the phase of an mbarrier that is over already
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ __align__(8) unsigned long long gate;
    unsigned at = (unsigned)__cvta_generic_to_shared(&gate);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1024;" ::"r"(at) : "memory");
    __syncthreads();
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
    for (int done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.s32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory");
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
}
