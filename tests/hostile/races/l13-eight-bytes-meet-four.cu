// lesson 13; device sim; nvcc,clang; want: fail; tries: counts two bins side by side by one 64-bit atomic where others count one of them by 32-bit ones: atomics that overlap in part are not morally strong by the PTX memory model, so they race

LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(8) unsigned counts[256];
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
                for (int at = 0; at < 32; at += 16) {
                    int u = (w >> at & 255) >> shift, v = (w >> at + 8 & 255) >> shift;
                    if ((u ^ v) == 1)  // two bins side by side: both at once
                        atomicAdd((unsigned long long *)counts + u / 2, 1ull << 32 | 1);
                    else {
                        atomicAdd(&counts[u], 1);
                        atomicAdd(&counts[v], 1);
                    }
                }
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
