// lesson 3; device sim; nvcc,clang; want: full; tries: the second barrier is made by hand: warps count up an atomic with release, one lane spins with acquire, __syncwarp on both sides
#include <cuda/atomic>

LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned arrived;
    const int lane = threadIdx.x, warp = threadIdx.y;
    if (lane == 0 && warp == 0)
        arrived = 0;
    __syncthreads();  // the counter is 0 for all; the tile is not filled yet

    int column = blockIdx.x * 32 + lane, row = blockIdx.y * 32 + warp;
    if (row < height && column < width)
        tile[warp][lane] = in[row * width + column];

    __syncwarp();
    if (lane == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block> counter(arrived);
        counter.fetch_add(1, cuda::memory_order_release);
        while (counter.load(cuda::memory_order_acquire) != 32)
            ;
    }
    __syncwarp();

    column = blockIdx.y * 32 + lane, row = blockIdx.x * 32 + warp;
    if (row < width && column < height)
        out[row * height + column] = tile[lane][warp];
}
