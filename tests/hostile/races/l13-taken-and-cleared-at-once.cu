// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a count is taken and cleared by one exchange, and the next row is counted with no barrier behind it: what fast warps add to a count that its thread has not taken yet goes to the row before; every rows >= 2
// 13 histogram: a block counts two rows, one after the other, and clears as it writes.
LAUNCH(256, 1, 2, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    for (int row = blockIdx.x * 2; row < rows && row < blockIdx.x * 2 + 2; row++) {
        const unsigned char *bytes = in + row * (size_t)cols;
        if (cols % 16 == 0) {
            const uint4 *quads = (const uint4 *)bytes;
            for (int i = t; i < cols / 16; i += blockDim.x) {
                uint4 q = quads[i];
                unsigned words[4] = {q.x, q.y, q.z, q.w};
                for (unsigned w : words)
                    for (int at = 0; at < 32; at += 8)
                        atomicAdd(&counts[(w >> at & 255) >> shift], 1);
            }
        } else
            for (int i = t; i < cols; i += blockDim.x)
                atomicAdd(&counts[bytes[i] >> shift], 1);
        __syncthreads();

        // In one step, so that no count is lost between reading it and clearing it.
        for (int v = t; v < 256; v += blockDim.x)
            out[row * 256 + v] = atomicExch(&counts[v], 0u);
    }
}
