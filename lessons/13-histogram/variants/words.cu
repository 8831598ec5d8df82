// Counted in shared memory, four bytes a load.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();
    int done = 0;
    if (cols % 4 == 0) {
        const unsigned *words = (const unsigned *)bytes;
        for (int i = t; i < cols / 4; i += blockDim.x) {
            unsigned w = words[i];
            for (int b = 0; b < 32; b += 8)
                atomicAdd(&counts[(w >> b & 255) >> shift], 1);
        }
        done = cols;
    }
    for (int i = done + t; i < cols; i += blockDim.x)
        atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();
    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
