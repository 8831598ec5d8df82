// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: 16 bytes a load for rows of any length, with the bytes before the first multiple of 16 counted alone; a row that ends before that multiple counts bytes of the next row, or behind in
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // Rows begin anywhere: up to 15 bytes alone, then 16 at a time, then what is left.
    int head = -(int)(size_t)bytes & 15, quads = (cols - head) / 16;
    if (t < head)
        atomicAdd(&counts[bytes[t] >> shift], 1);
    for (int i = t; i < quads; i += blockDim.x) {
        uint4 q = ((const uint4 *)(bytes + head))[i];
        unsigned words[4] = {q.x, q.y, q.z, q.w};
        for (unsigned w : words)
            for (int at = 0; at < 32; at += 8)
                atomicAdd(&counts[(w >> at & 255) >> shift], 1);
    }
    int last = head + quads * 16 + t;
    if (last < cols)
        atomicAdd(&counts[bytes[last] >> shift], 1);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
