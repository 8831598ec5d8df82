// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the loop that clears writes 512 words from the start of an array of 256 and takes it for granted that the other array lies behind it: that is outside of the array, and where the compiler places them otherwise something else is cleared, or nothing; all sizes
// 13 histogram: two sets of counts, for even and for odd warps, so that fewer atomics meet.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned even[256], odd[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    unsigned *both = even, *counts = t / 32 % 2 ? odd : even;
    for (int v = t; v < 512; v += blockDim.x)
        both[v] = 0;
    __syncthreads();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = even[v] + odd[v];
}
