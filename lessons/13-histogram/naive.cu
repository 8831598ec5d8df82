// The starter: an atomic in global memory for each byte.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    unsigned *counts = out + blockIdx.x * 256;  // of this row, in global memory
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    for (int i = t; i < cols; i += blockDim.x)
        atomicAdd(&counts[bytes[i] >> shift], 1);  // @count
}
