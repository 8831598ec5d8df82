// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: 512 threads, eight bytes a load, cuda::atomic_ref with relaxed order on plain shared words
#include <cuda/atomic>

LAUNCH(512, 1, 1, 1)

__device__ __forceinline__ void count(unsigned &bin)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> here(bin);
    here.fetch_add(1u, cuda::memory_order_relaxed);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[256];
    const int t = threadIdx.x;
    const unsigned char *row = in + blockIdx.x * (size_t)cols;

    if (t < 256)
        bins[t] = 0;
    __syncthreads();

    if (cols % 8 == 0) {
        const uint2 *pairs = (const uint2 *)row;
        for (int i = t; i < cols / 8; i += 512) {
            const uint2 two = pairs[i];
            unsigned long long left = (unsigned long long)two.y << 32 | two.x;
#pragma unroll
            for (int j = 0; j < 8; ++j, left >>= 8)
                count(bins[(unsigned)(left & 0xff) >> shift]);
        }
    } else if (cols % 4 == 0) {
        const uchar4 *fours = (const uchar4 *)row;
        for (int i = t; i < cols / 4; i += 512) {
            const uchar4 four = fours[i];
            count(bins[four.x >> shift]);
            count(bins[four.y >> shift]);
            count(bins[four.z >> shift]);
            count(bins[four.w >> shift]);
        }
    } else
        for (int i = t; i < cols; i += 512)
            count(bins[row[i] >> shift]);
    __syncthreads();

    if (t < 256)
        out[blockIdx.x * 256 + t] = bins[t];
}
