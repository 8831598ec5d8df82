// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: only the 256 >> shift bins that can be hit are cleared, but all 256 are written: for shift > 0 the others are uninitialised shared memory
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    if (t < 256 >> shift)
        counts[t] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 quad = quads[i];
            unsigned words[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (int j = 0; j < 16; j++)
                atomicAdd(&counts[(words[j / 4] >> j % 4 * 8 & 255) >> shift], 1);
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
