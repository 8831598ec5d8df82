// Counts for each thread, in an array of its own.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned own[256];
    for (int v = 0; v < 256; v++)
        own[v] = 0;
    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();
    for (int i = t; i < cols; i += blockDim.x)
        own[bytes[i] >> shift]++;
    for (int v = 0; v < 256; v++)
        if (own[v])
            atomicAdd(&counts[v], own[v]);
    __syncthreads();
    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
