// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp counts in 16 bits, two bins a word, so when a warp meets one bin 65536 times the count is lost and carried into the next bin: e.g. rows = 1, cols = 524288, shift = 8 (rows may have any length).
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[8][128];  // for each warp; bins 2 i and 2 i + 1 share word i
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned *mine = counts[t / 32];

    for (int v = t; v < 8 * 128; v += blockDim.x)
        counts[v / 128][v % 128] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8) {
                    unsigned v = (w >> at & 255) >> shift;
                    atomicAdd(&mine[v / 2], 1u << v % 2 * 16);  // @count
                }
        }
    } else
        for (int i = t; i < cols; i += blockDim.x) {
            unsigned v = bytes[i] >> shift;
            atomicAdd(&mine[v / 2], 1u << v % 2 * 16);
        }
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++)
            sum += counts[w][v / 2] >> v % 2 * 16 & 0xffff;
        out[blockIdx.x * 256 + v] = sum;
    }
}
