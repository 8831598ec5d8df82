// Counts for each lane, in the lane's own bank: no conflict whatever the data are, and 8192 counts to clear and add.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256 * 32];  // bin * 32 + lane: the bank is the lane
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, lane = t % 32;
    for (int i = t; i < 256 * 32; i += 256)
        counts[i] = 0;
    __syncthreads();
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int k = 0; k < 16; k++)
                atomicAdd(&counts[(words[k / 4] >> k % 4 * 8 & 255) >> shift << 5 | lane], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift << 5 | lane], 1);
    __syncthreads();
    // A bin's 32 counts are a row. Lanes begin in different columns, so that their banks differ.
    unsigned sum = 0;
    for (int l = 0; l < 32; l++)
        sum += counts[t * 32 + (l + t) % 32];  // @add
    out[blockIdx.x * 256 + t] = sum;
}
