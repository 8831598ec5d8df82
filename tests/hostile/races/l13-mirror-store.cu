// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a block counts two rows; counts are cleared by one thread and stored by another, of another warp, and no barrier lies between the store of the first row and the clearing for the second
LAUNCH(256, 1, 2, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    int t = threadIdx.x;

    for (int r = 0; r < 2; r++) {
        int row = blockIdx.x * 2 + r;
        if (row >= rows)
            break;
        const unsigned char *bytes = in + row * (size_t)cols;
        counts[t] = 0;
        __syncthreads();
        if (cols % 16 == 0) {
            const uint4 *quads = (const uint4 *)bytes;
            for (int i = t; i < cols / 16; i += 256) {
                uint4 q = quads[i];
                unsigned words[4] = {q.x, q.y, q.z, q.w};
                for (unsigned w : words)
                    for (int at = 0; at < 32; at += 8)
                        atomicAdd(&counts[(w >> at & 255) >> shift], 1);
            }
        } else
            for (int i = t; i < cols; i += 256)
                atomicAdd(&counts[bytes[i] >> shift], 1);
        __syncthreads();
        out[row * 256 + (255 - t)] = counts[255 - t];
    }
}
