// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: counts in shared memory, 16 bytes a load, in a loop unrolled by four as Duff's device (a switch that jumps into the loop): right for any number of quads, coalesced, cleared and written once
LAUNCH(256, 1, 1, 1)

#define BYTE(w, at) atomicAdd(&counts[((w) >> (at) & 255u) >> shift], 1u)
#define WORD(w) (BYTE(w, 0), BYTE(w, 8), BYTE(w, 16), BYTE(w, 24))
#define QUAD()                                                      \
    {                                                               \
        uint4 q = *from;                                            \
        from += 256;                                                \
        WORD(q.x), WORD(q.y), WORD(q.z), WORD(q.w);                 \
    }

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + (size_t)blockIdx.x * cols;
    int t = threadIdx.x;
    counts[t] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        int mine = (cols / 16 - t + 255) / 256;  // quads t, t + 256, …; cols / 16 - t + 255 is never negative
        const uint4 *from = (const uint4 *)bytes + t;
        if (mine > 0) {
            int turns = (mine + 3) / 4;
            switch (mine % 4) {
            case 0: do { QUAD();
            case 3:      QUAD();
            case 2:      QUAD();
            case 1:      QUAD();
                    } while (--turns > 0);
            }
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + t] = counts[t];
}
