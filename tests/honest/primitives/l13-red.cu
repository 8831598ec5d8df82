// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: red.shared in PTX, a table a block, any alignment by words
LAUNCH(512, 1, 1, 1)
__device__ __forceinline__ void bump(unsigned *p)
{
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(p)) : "memory");
}
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    if (threadIdx.x < 256) counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *p = in + (size_t)blockIdx.x * cols, *e = p + cols;
    const unsigned char *w0 = (const unsigned char *)(((size_t)p + 15) & ~(size_t)15), *w1 = (const unsigned char *)((size_t)e & ~(size_t)15);
    if (w0 >= w1) {
        for (p += threadIdx.x; p < e; p += blockDim.x) bump(&counts[*p >> shift]);
    } else {
        if (p + threadIdx.x < w0) bump(&counts[p[threadIdx.x] >> shift]);
        if (w1 + threadIdx.x < e) bump(&counts[w1[threadIdx.x] >> shift]);
        for (const uint4 *q = (const uint4 *)w0 + threadIdx.x; q < (const uint4 *)w1; q += blockDim.x) {
            uint4 v = *q;
            unsigned x[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int i = 0; i < 16; i++)
                bump(&counts[(x[i / 4] >> i % 4 * 8 & 0xff) >> shift]);
        }
    }
    __syncthreads();
    if (threadIdx.x < 256) out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
