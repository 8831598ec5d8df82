// lesson 13; device sim; nvcc,clang; want: fail|timeout; tries: counts by atomicInc with the bound 655351, one too few: a row of 655352 bytes, the longest that the lesson allows, that fall into one bin makes that count 0
// 13 histogram: counted in shared memory, sixteen bytes a load.
LAUNCH(256, 1, 1, 1)

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
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicInc(&counts[(w >> at & 255) >> shift], 655351);  // @count
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicInc(&counts[bytes[i] >> shift], 655351);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
