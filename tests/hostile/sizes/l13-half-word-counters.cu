// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp counts two bins to a word, 16 bits each: from 65536 equal bytes of one warp on (a constant row of 600000 bytes) a bin overflows into the other
// 13 histogram: where a thread writes is up to the data.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    // Eight histograms, one for each warp: bins v and v + 128 share word v.
    __shared__ unsigned counts[8][128];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 8 * 128; v += 256)
        counts[v / 128][v % 128] = 0;
    __syncthreads();

    unsigned *mine = counts[t / 32];
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8) {
                    unsigned bin = (w >> at & 255) >> shift;
                    atomicAdd(&mine[bin & 127], bin & 128 ? 0x10000u : 1u);  // @count
                }
        }
    } else
        for (int i = t; i < cols; i += 256) {
            unsigned bin = bytes[i] >> shift;
            atomicAdd(&mine[bin & 127], bin & 128 ? 0x10000u : 1u);
        }
    __syncthreads();

    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += t & 128 ? counts[w][t & 127] >> 16 : counts[w][t & 127] & 0xffff;
    out[blockIdx.x * 256 + t] = sum;
}
