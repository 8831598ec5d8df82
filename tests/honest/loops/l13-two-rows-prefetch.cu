// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 512 threads count two rows, bytes are picked by __byte_perm, and the next 16 bytes are loaded before these are counted
LAUNCH(512, 1, 2, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[2][256];
    const int half = threadIdx.x >> 8, t = threadIdx.x & 255;
    const int row = 2 * blockIdx.x + half;
    const int have = row < rows ? cols : 0;
    const unsigned char *bytes = in + (size_t)(row < rows ? row : 0) * cols;
    unsigned *mine = counts[half];

    mine[t] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = reinterpret_cast<const uint4 *>(bytes);
        const int end = have / 16;
        uint4 next = t < end ? quads[t] : make_uint4(0, 0, 0, 0);
        for (int i = t; i < end; i += 256) {
            const uint4 now = next;
            if (i + 256 < end)
                next = quads[i + 256];
            const unsigned words[4] = {now.x, now.y, now.z, now.w};
#pragma unroll
            for (int k = 0; k < 16; ++k)
                atomicAdd(&mine[__byte_perm(words[k >> 2], 0u, 0x4440u | (k & 3)) >> shift], 1u);
        }
    } else {
        for (int i = t; i < have; i += 256)
            atomicAdd(&mine[bytes[i] >> shift], 1u);
    }

    __syncthreads();
    if (row < rows)
        out[(size_t)row * 256 + t] = mine[t];
}
