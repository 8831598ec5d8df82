// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: bins in eight rows of 33 words, so that v and v + 32 are in neighbouring banks; two quads a turn
LAUNCH(256, 1, 1, 1)

#define BIN(value) bins[(value) >> 5][(value) & 31u]
#define COUNT(word, at) atomicAdd(&BIN(((word) >> (at) & 0xffu) >> shift), 1u)
#define COUNT_WORD(word) (COUNT(word, 0), COUNT(word, 8), COUNT(word, 16), COUNT(word, 24))
#define COUNT_QUAD(quad) (COUNT_WORD((quad).x), COUNT_WORD((quad).y), COUNT_WORD((quad).z), COUNT_WORD((quad).w))

__global__ void __launch_bounds__(256)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[8][33];

    const unsigned t = threadIdx.x;
    const unsigned char *const row = in + (size_t)cols * blockIdx.x;

    BIN(t) = 0u;
    __syncthreads();

    if (cols % 16) {
        for (int i = t; i < cols; i += 256) {
            const unsigned value = (unsigned)row[i] >> shift;
            atomicAdd(&BIN(value), 1u);
        }
    } else {
        const uint4 *next = reinterpret_cast<const uint4 *>(row) + t;
        int left = cols / 16 - (int)t;  // quads from `next` on
        for (; left > 256; left -= 512, next += 512) {
            const uint4 first = next[0], second = next[256];
            COUNT_QUAD(first);
            COUNT_QUAD(second);
        }
        if (left > 0) {
            const uint4 only = next[0];
            COUNT_QUAD(only);
        }
    }
    __syncthreads();

    out[(size_t)blockIdx.x * 256 + t] = BIN(t);
}
