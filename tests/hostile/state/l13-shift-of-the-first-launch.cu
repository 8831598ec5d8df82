// lesson 13; device sim; nvcc,clang; want: fail; tries: keeps the shift of the very first launch in a __device__ array and counts by it in all later launches
// 13 histogram: counted in shared memory, sixteen bytes a load.
LAUNCH(256, 1, 1, 1)

__device__ int kept[1048576];  // the shift of each block, and 1

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    if (threadIdx.x == 0 && kept[blockIdx.x % 1048576] == 0)
        kept[blockIdx.x % 1048576] = shift + 1;
    __syncthreads();
    shift = ((volatile int *)kept)[blockIdx.x % 1048576] - 1;
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
