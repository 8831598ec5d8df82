// A histogram for each of eight warps: fewer meet, but lanes of a warp still do.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[8][256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, warp = t / 32;
    for (int i = t; i < 8 * 256; i += blockDim.x)
        counts[i / 256][i % 256] = 0;
    __syncthreads();
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[warp][(w >> at & 255) >> shift], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[warp][bytes[i] >> shift], 1);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += counts[w][t];
    out[blockIdx.x * 256 + t] = sum;
}
