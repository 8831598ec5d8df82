// lesson 13; device sim,gpu; nvcc,clang; want: fail; tries: loads are 4 bytes a lane, but four lanes load the same word and each counts one byte of it: a warp still moves 32 bytes with one request, every byte is read four times
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    counts[t] = 0;
    __syncthreads();

    int head = min(cols, (int)(-(unsigned long long)bytes & 3)), body = (cols - head) / 4 * 4;
    const unsigned *words = (const unsigned *)(bytes + head);
#pragma unroll 8
    for (int i = t; i < body; i += 256)
        atomicAdd(&counts[(words[i / 4] >> i % 4 * 8 & 255) >> shift], 1);  // @count
    if (t < head)
        atomicAdd(&counts[bytes[t] >> shift], 1);
    int at = head + body + t;
    if (at < cols)
        atomicAdd(&counts[bytes[at] >> shift], 1);
    __syncthreads();

    out[blockIdx.x * (size_t)256 + t] = counts[t];
}
