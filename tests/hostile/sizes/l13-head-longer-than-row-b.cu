// lesson 13; device sim; nvcc,clang; want: fail|timeout; tries: the bytes before the first multiple of 16 are counted without asking whether the row is that long: for rows >= 2 and cols < 16 (e.g. rows = 2, cols = 3) bytes of the next rows are counted too, and bytes behind the array are read.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // Up to 15 bytes one by one, then 16 at a time, then the rest one by one.
    int head = (int)(-(size_t)bytes & 15);
    int quads = (cols - head) / 16;
    int tail = head + quads * 16;

    if (t < head)
        atomicAdd(&counts[bytes[t] >> shift], 1);
    const uint4 *from = (const uint4 *)(bytes + head);
    for (int i = t; i < quads; i += blockDim.x) {
        uint4 q = from[i];
        unsigned words[4] = {q.x, q.y, q.z, q.w};
        for (unsigned w : words)
            for (int at = 0; at < 32; at += 8)
                atomicAdd(&counts[(w >> at & 255) >> shift], 1);  // @count
    }
    if (tail + t < cols)
        atomicAdd(&counts[bytes[tail + t] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
