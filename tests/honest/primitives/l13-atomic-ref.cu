// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: counts by cuda::atomic_ref of block scope, two tables
#include <cuda/atomic>
LAUNCH(256, 1, 1, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[2][256];
    int t = threadIdx.x;
    bins[0][t] = bins[1][t] = 0;
    __syncthreads();
    auto hit = [&](unsigned v) { cuda::atomic_ref<unsigned, cuda::thread_scope_block>(bins[t >> 7][v >> shift]).fetch_add(1u, cuda::memory_order_relaxed); };
    const unsigned char *p = in + (size_t)blockIdx.x * cols;
    unsigned lead = min((unsigned)cols, (16u - (unsigned)((size_t)p & 15)) & 15u), body = (cols - lead) / 16;
    if (t < lead) hit(p[t]);
    for (unsigned i = t; i < body; i += 256) {
        uint4 q = ((const uint4 *)(p + lead))[i];
        for (unsigned w : {q.x, q.y, q.z, q.w})
            for (int b = 0; b < 32; b += 8) hit(w >> b & 0xff);
    }
    unsigned rest = lead + body * 16;
    if (rest + t < cols) hit(p[rest + t]);
    __syncthreads();
    out[blockIdx.x * 256 + t] = bins[0][t] + bins[1][t];
}
