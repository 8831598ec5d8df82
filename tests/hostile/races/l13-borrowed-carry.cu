// lesson 13; device sim; nvcc,clang; want: fail|timeout; tries: four counts of a byte share a word and a carry is taken back a moment later: if the next count of the word passes 255 in that moment, 256 are lost; rows of some 60000 bytes and more, shift 0
LAUNCH(256, 1, 1, 1)

// 256 counts in 64 words, so that fewer banks are hit twice: count v is byte v / 64 of word v % 64,
// and every 256 of it are kept in another array.
struct Counts {
    unsigned low[64], high[256];

    __device__ void clear(int t, int threads)
    {
        for (int v = t; v < 256; v += threads) {
            high[v] = 0;
            if (v < 64)
                low[v] = 0;
        }
    }

    __device__ void add(unsigned v)
    {
        unsigned at = v / 64 * 8;
        unsigned old = atomicAdd(&low[v % 64], 1u << at);  // @count
        // 255 and one more: the byte is 0 again, and the carry has gone to its neighbour. Keep 256
        // and take the carry back. The uppermost byte has no neighbour.
        if ((old >> at & 255) == 255) {
            atomicAdd(&high[v], 256u);
            if (at < 24)
                atomicSub(&low[v % 64], 256u << at);
        }
    }

    __device__ unsigned get(unsigned v) const { return high[v] + (low[v % 64] >> v / 64 * 8 & 255); }
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ Counts counts;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    counts.clear(t, blockDim.x);
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    counts.add((w >> at & 255) >> shift);
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            counts.add(bytes[i] >> shift);
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts.get(v);
}
