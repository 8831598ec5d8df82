// lesson 13; device sim,gpu; nvcc,clang; want: fail; tries: the warps' counts are added two bins to a word, 16 bits each: a bin of 65536 or more wraps and carries into its neighbour (rows may have any length)
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(16) unsigned counts[4][256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned *mine = counts[t / 64];

#pragma unroll
    for (int w = 0; w < 4; w++)
        counts[w][t] = 0;
    __syncthreads();

    int head = min(cols, (int)(-(unsigned long long)bytes & 15)), body = (cols - head) / 16;
    const uint4 *chunks = (const uint4 *)(bytes + head);
    for (int i = t; i < body; i += 256) {
        uint4 chunk = chunks[i];
        unsigned word[4] = {chunk.x, chunk.y, chunk.z, chunk.w};
#pragma unroll
        for (int j = 0; j < 16; j++)
            atomicAdd(&mine[(word[j / 4] >> j % 4 * 8 & 255) >> shift], 1);  // @count
    }
    if (t < head)
        atomicAdd(&mine[bytes[t] >> shift], 1);
    int at = head + body * 16 + t;
    if (at < cols)
        atomicAdd(&mine[bytes[at] >> shift], 1);
    __syncthreads();

    if (t < 128) {  // one addition for two bins
        unsigned total = 0;
#pragma unroll
        for (int w = 0; w < 4; w++) {
            uint2 two = ((const uint2 *)counts[w])[t];
            total += two.x + (two.y << 16);
        }
        ((uint2 *)(out + blockIdx.x * (size_t)256))[t] = make_uint2(total & 0xffff, total >> 16);
    }
}
