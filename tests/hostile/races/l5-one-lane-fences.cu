// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the block meets at the barrier of its (one-block) cluster with barrier.cluster.arrive.relaxed, which orders nothing but what the arriving thread fenced before. Only lane 0 of each warp fences, and it fences its own stores: those of lanes 1 to 31 are neither released nor fenced, and race with the readers in other warps, at every size above 1 x 1.
// 05 swizzling: (r, c) at c ^ r, 4096 bytes, and a barrier that does not flush more than it must.
LAUNCH(32, 4, 32, 32)

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

    // A warp's stores go out together, so one fence of the warp will do.
    if (threadIdx.x == 0)
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");

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
