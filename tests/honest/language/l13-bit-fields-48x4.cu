// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 48 x 4 threads count a row; bytes up to the first multiple of 16 by single loads, then quads whose words are taken apart by a union of bit fields, then the rest; cleared, met, counted, met, stored once
LAUNCH(48, 4, 1, 1)

union Four {
    unsigned word;
    struct { unsigned a : 8, b : 8, c : 8, d : 8; } byte;
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    constexpr int THREADS = 48 * 4;
    __shared__ unsigned counts[256];
    const int t = threadIdx.y * 48 + threadIdx.x;
    const unsigned char *const row = in + blockIdx.x * (size_t)cols;

    for (int v = t; v < 256; v += THREADS)
        counts[v] = 0;
    __syncthreads();

    auto one = [&](unsigned byte) { atomicAdd(&counts[byte >> shift], 1u); };
    auto four = [&](unsigned word) {
        Four f;
        f.word = word;
        one(f.byte.a), one(f.byte.b), one(f.byte.c), one(f.byte.d);
    };

    int head = int(-reinterpret_cast<unsigned long long>(row) & 15);
    if (head > cols)
        head = cols;
    const int quads = (cols - head) / 16, tail = head + quads * 16;
    if (t < head)
        one(row[t]);
    const uint4 *const q = reinterpret_cast<const uint4 *>(row + head);
    for (int i = t; i < quads; i += THREADS) {
        const uint4 w = __ldcs(q + i);
        four(w.x), four(w.y), four(w.z), four(w.w);
    }
    if (tail + t < cols)
        one(row[tail + t]);
    __syncthreads();

    for (int v = t; v < 256; v += THREADS)
        out[blockIdx.x * 256 + v] = counts[v];
}
