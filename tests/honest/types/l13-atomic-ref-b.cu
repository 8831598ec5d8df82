// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: cuda::atomic_ref with block scope and relaxed order, cuda::std::array and span-like range, a __constant__ table of byte positions
#include <cuda/atomic>
#include <cuda/std/array>

LAUNCH(256, 1, 1, 1)

__constant__ int byte_at[4] = {0, 8, 16, 24};

struct Histogram {
    cuda::std::array<unsigned, 256> count;
    __device__ __forceinline__ void add(unsigned bin)
    {
        cuda::atomic_ref<unsigned, cuda::thread_scope_block>(count[bin]).fetch_add(1u, cuda::memory_order_relaxed);
    }
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ Histogram histogram;
    const unsigned t = threadIdx.x;
    histogram.count[t] = 0;
    __syncthreads();

    const unsigned char *const bytes = in + (size_t)blockIdx.x * (size_t)cols;
    if (cols % 16 == 0) {
        for (unsigned i = t; i < (unsigned)cols / 16; i += blockDim.x) {
            const uint4 q = reinterpret_cast<const uint4 *>(bytes)[i];
            const cuda::std::array<unsigned, 4> words{q.x, q.y, q.z, q.w};
            for (const unsigned w : words)
                for (const int at : byte_at)
                    histogram.add((w >> at & 255u) >> shift);
        }
    } else {
        for (unsigned i = t; i < (unsigned)cols; i += blockDim.x)
            histogram.add(unsigned{bytes[i]} >> shift);
    }
    __syncthreads();
    out[blockIdx.x * 256u + t] = histogram.count[t];
}
