// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: aligns each row by hand, then 16 bytes a load, then the tail
LAUNCH(512, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    int t = threadIdx.x;
    if (t < 256)
        counts[t] = 0;
    __syncthreads();
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    int head = (int)(-(size_t)row & 15);
    head = head < cols ? head : cols;
    int quads = (cols - head) / 16, tail = head + quads * 16;
    if (t < head)
        atomicAdd(&counts[row[t] >> shift], 1u);
    const uint4 *q = (const uint4 *)(row + head);
    for (int i = t; i < quads; i += 512) {
        uint4 v = __ldg(q + i);
        unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int j = 0; j < 16; j++)
            atomicAdd(&counts[(words[j / 4] >> j % 4 * 8 & 0xff) >> shift], 1u);
    }
    if (tail + t < cols)
        atomicAdd(&counts[row[tail + t] >> shift], 1u);
    __syncthreads();
    if (t < 256)
        out[blockIdx.x * 256 + t] = counts[t];
}
