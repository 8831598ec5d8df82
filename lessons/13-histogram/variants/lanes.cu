// Counts for each lane, in the lane's own bank: no conflict whatever the data are, and 8192 counts to clear and add.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256][32];  // [bin][lane]: the bank is the lane
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, lane = t % 32;
    for (int i = t; i < 256 * 32; i += blockDim.x)
        counts[i / 32][i % 32] = 0;
    __syncthreads();
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift][lane], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift][lane], 1);
    __syncthreads();
    // A bin's 32 counts are a row. Lanes begin in different columns, so that their banks differ.
    for (int v = t; v < 256; v += blockDim.x) {
        unsigned sum = 0;
        for (int l = 0; l < 32; l++)
            sum += counts[v][(l + lane) % 32];  // @add
        out[blockIdx.x * 256 + v] = sum;
    }
}
