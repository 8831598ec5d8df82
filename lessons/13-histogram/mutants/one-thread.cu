// Without atomics, since one thread counts all.
LAUNCH(1, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();
    for (int i = t; i < cols; i += blockDim.x)
        counts[bytes[i] >> shift]++;
    __syncthreads();
    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
