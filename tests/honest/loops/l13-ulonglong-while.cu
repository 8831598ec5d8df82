// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: ulonglong2 loads, bytes by shifting two 64-bit words in while loops, atomicAdd_block
LAUNCH(256, 1, 1, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[256];
    const int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    const unsigned char *p = in + (size_t)blockIdx.x * cols;
    if ((cols & 15) == 0) {
        const ulonglong2 *q = (const ulonglong2 *)p + t, *const end = (const ulonglong2 *)(p + cols);
        while (q < end) {
            ulonglong2 v = *q;
            q += 256;
            int left = 8;
            while (left--) {
                atomicAdd_block(bins + ((unsigned)(v.x & 255) >> shift), 1u);
                atomicAdd_block(bins + ((unsigned)(v.y & 255) >> shift), 1u);
                v.x >>= 8;
                v.y >>= 8;
            }
        }
    } else if ((cols & 3) == 0) {
        for (const unsigned *q = (const unsigned *)p + t; q < (const unsigned *)(p + cols); q += 256)
            for (unsigned v = *q, j = 0; j < 4; j++, v >>= 8) atomicAdd_block(bins + ((v & 255) >> shift), 1u);
    } else
        for (int i = t; i < cols; i += 256) atomicAdd_block(bins + (p[i] >> shift), 1u);
    __syncthreads();
    out[blockIdx.x * 256 + t] = bins[t];
}
