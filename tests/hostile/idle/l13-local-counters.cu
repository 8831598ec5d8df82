// lesson 13; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: bytes are counted in arrays of local memory, one of 256 counters for each thread, and only those totals are added up in shared memory at the end, enough wavefronts to look like counting there
LAUNCH(64, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned own[256];

    for (int v = t; v < 256; v += 64)
        counts[v] = 0;
    for (int v = 0; v < 256; v++)
        own[v] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 64) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    own[(w >> at & 255) >> shift]++;
        }
    } else
        for (int i = t; i < cols; i += 64)
            own[bytes[i] >> shift]++;

    for (int v = 0; v < 256; v++)
        atomicAdd(&counts[(v + t) & 255], own[(v + t) & 255]);
    __syncthreads();

    for (int v = t; v < 256; v += 64)
        out[blockIdx.x * 256 + v] = counts[v];
}
