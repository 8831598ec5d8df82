// lesson 13; device sim; nvcc,clang; want: fail; tries: warps count themselves done by a relaxed atomic with no fence on either side, and take the counts by atomicExch: atomics of other places are not ordered by it, so a count may come late
// 13 histogram: counted in shared memory, sixteen bytes a load.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256], done;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    if (t == 0)
        done = 0;
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
    __syncwarp();
    if (t % 32 == 0)
        atomicAdd(&done, 1);
    while (atomicAdd(&done, 0) < 8)
        ;

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = atomicExch(&counts[v], 0);
}
