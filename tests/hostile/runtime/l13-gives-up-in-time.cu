// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a thread stops counting 2^26 cycles after its start: on a long row (cols = 2000000000), or wherever the SM is shared or slow, bytes are left out
// 13 histogram: where a thread writes is up to the data.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    long long start = clock64();  // a kernel that hangs takes the desktop with it

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
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);  // @count
            if (clock64() - start > 1 << 26)
                break;
        }
    } else
        for (int i = t; i < cols; i += blockDim.x) {
            atomicAdd(&counts[bytes[i] >> shift], 1);
            if (clock64() - start > 1 << 26)
                break;
        }
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
