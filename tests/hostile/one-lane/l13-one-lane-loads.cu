// lesson 13; device sim,gpu; nvcc,clang; want: fail, gate wide|speed|traffic|turns; tries: lane 0 loads 16 bytes, shuffles hand them out, half of the lanes count a byte
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t / 32; i < cols / 16; i += blockDim.x / 32) {
            uint4 q = {};
            if (t % 32 == 0)
                q = quads[i];
            unsigned x = __shfl_sync(~0u, q.x, 0), y = __shfl_sync(~0u, q.y, 0);
            unsigned z = __shfl_sync(~0u, q.z, 0), w = __shfl_sync(~0u, q.w, 0);
            unsigned mine = t & 8 ? (t & 4 ? w : z) : (t & 4 ? y : x);
            if (t % 32 < 16)
                atomicAdd(&counts[(mine >> t % 4 * 8 & 255) >> shift], 1);
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
