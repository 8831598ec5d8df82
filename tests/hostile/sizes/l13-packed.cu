// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: rows of more than 655360 bytes that fall into one bin (cols = 1000000, shift = 8): ten warps count in 16 bits each, and 65536 runs over into the next bin
LAUNCH(320, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[10][128];  // two bins of 16 bits in a word, a table for each warp
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned *mine = counts[t / 32];

    for (int v = t; v < 1280; v += 320)
        counts[0][v] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 320) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8) {
                    unsigned v = (w >> at & 255) >> shift;
                    atomicAdd(&mine[v / 2], 1u << v % 2 * 16);
                }
        }
    } else
        for (int i = t; i < cols; i += 320) {
            unsigned v = bytes[i] >> shift;
            atomicAdd(&mine[v / 2], 1u << v % 2 * 16);
        }
    __syncthreads();

    if (t < 256) {
        unsigned sum = 0;
        for (int w = 0; w < 10; w++)
            sum += counts[w][t / 2] >> t % 2 * 16 & 0xffff;
        out[blockIdx.x * 256 + t] = sum;
    }
}
