// lesson 13; device sim,gpu; nvcc,clang; want: fail; tries: the solution, with a path of 8-byte loads for rows of 8, 24, 40 … bytes whose number of pairs is an unsigned short: rows of 524296 bytes and more that take it (the lesson has up to 655360) lose 524288 of their bytes
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);
        }
    } else if (cols % 8 == 0) {
        const uint2 *pairs = (const uint2 *)bytes;
        unsigned short number = cols / 8;
        for (int i = t; i < number; i += blockDim.x) {
            uint2 p = pairs[i];
            for (int at = 0; at < 32; at += 8) {
                atomicAdd(&counts[(p.x >> at & 255) >> shift], 1);
                atomicAdd(&counts[(p.y >> at & 255) >> shift], 1);
            }
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();
    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
