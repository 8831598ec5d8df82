// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 1-D block of 512, four __ldg of uint4 a batch of a do/while, the rest of quads by a switch that falls through; rows that are no multiple of 16 by bytes; counted in shared memory, two barriers, right
LAUNCH(512, 1, 1, 1)

__device__ __forceinline__ void count4(unsigned *bins, unsigned w, int shift)
{
    atomicAdd(bins + ((w & 255u) >> shift), 1u);
    atomicAdd(bins + ((w >> 8 & 255u) >> shift), 1u);
    atomicAdd(bins + ((w >> 16 & 255u) >> shift), 1u);
    atomicAdd(bins + ((w >> 24) >> shift), 1u);
}
__device__ __forceinline__ void count16(unsigned *bins, uint4 q, int shift)
{
    count4(bins, q.x, shift);
    count4(bins, q.y, shift);
    count4(bins, q.z, shift);
    count4(bins, q.w, shift);
}

__global__ void __launch_bounds__(512)
histograms(unsigned *__restrict__ out, const unsigned char *__restrict__ in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[256];
    const unsigned t = threadIdx.x;
    if (t < 256)
        bins[t] = 0;
    __syncthreads();

    const unsigned char *row = in + (unsigned long long)blockIdx.x * (unsigned)cols;
    if ((cols & 15) == 0) {
        const uint4 *quads = (const uint4 *)row;
        const int mine = ((cols >> 4) - (int)t + 511) >> 9;  // quads t, t + 512, ...
        int left = mine > 0 ? mine : 0;
        const uint4 *p = quads + t;
        if (left >= 4)
            do {
                const uint4 q0 = __ldg(p), q1 = __ldg(p + 512), q2 = __ldg(p + 1024), q3 = __ldg(p + 1536);
                count16(bins, q0, shift);
                count16(bins, q1, shift);
                count16(bins, q2, shift);
                count16(bins, q3, shift);
                p += 2048;
                left -= 4;
            } while (left >= 4);
        switch (left) {
        case 3: count16(bins, __ldg(p + 1024), shift);  // and
        case 2: count16(bins, __ldg(p + 512), shift);   // and
        case 1: count16(bins, __ldg(p), shift);
        }
    } else
        for (int i = t; i < cols; i += 512)
            atomicAdd(bins + (__ldg(row + i) >> shift), 1u);
    __syncthreads();
    if (t < 256)
        out[blockIdx.x * 256u + t] = bins[t];
}
