// lesson 13; device sim,gpu; nvcc,clang; want: fail, gate hazards|correct; tries: sixteen equal bytes of a lane are counted at once and without an atomic, as in one colour of a picture
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
            unsigned words[4] = {q.x, q.y, q.z, q.w}, v = q.x & 255, four = v * 0x01010101u;
            if (q.x == four && q.y == four && q.z == four && q.w == four) {
                counts[v >> shift] += 16;
                continue;
            }
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
