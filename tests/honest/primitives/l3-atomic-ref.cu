// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: the barrier by hand: cuda::atomic_ref counters with acquire and release in shared memory
#include <cuda/atomic>
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ int come;
    int id = threadIdx.y * 32 + threadIdx.x;
    if (id == 0) come = 0;
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + j;
        if (c < width && r < height) tile[j][threadIdx.x] = in[r * width + c];
    }
    cuda::atomic_ref<int, cuda::thread_scope_block> count(come);
    count.fetch_add(1, cuda::memory_order_release);
    while (count.load(cuda::memory_order_acquire) < 256) {}
    for (int j = threadIdx.y; j < 32; j += 8) {
        int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + j;
        if (c < width && r < height) out[c * height + r] = tile[threadIdx.x][j];
    }
}
