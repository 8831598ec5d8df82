// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: loads two quads before it counts; a helper counts a word
LAUNCH(256, 1, 1, 1)

__device__ void count(unsigned *counts, uint4 q, int shift)
{
    const unsigned char *bytes = (const unsigned char *)&q;
#pragma unroll
    for (int j = 0; j < 16; j++)
        atomicAdd(counts + (bytes[j] >> shift), 1u);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        int i = t, by = blockDim.x;
        for (; i + by < cols / 16; i += 2 * by) {
            uint4 p = __ldg(&quads[i]), q = __ldg(&quads[i + by]);
            count(counts, p, shift);
            count(counts, q, shift);
        }
        if (i < cols / 16)
            count(counts, __ldg(&quads[i]), shift);
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
