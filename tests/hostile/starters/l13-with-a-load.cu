// lesson 13; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with a load that nobody needs, once for each block
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    unsigned *counts = out + blockIdx.x * 256;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    if (t == 0 && *(volatile const unsigned char *)bytes == 300)
        counts[0] = 1;
    __syncthreads();

    for (int i = t; i < cols; i += blockDim.x)
        atomicAdd(&counts[bytes[i] >> shift], 1);
}
