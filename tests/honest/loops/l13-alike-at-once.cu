// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: where all lanes hold the same word of four equal bytes one lane adds 128
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
            for (unsigned w : words) {
                unsigned lanes = __activemask();
                int same;
                __match_all_sync(lanes, w, &same);
                if (same && w == (w & 255) * 0x01010101u) {
                    if (t % 32 == __ffs(lanes) - 1)
                        atomicAdd(&counts[(w & 255) >> shift], 4 * __popc(lanes));
                    continue;
                }
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);
            }
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
