// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: 192 threads, a histogram for each pair of warps, rows peeled to 16-byte alignment so that uint4 serves rows of any length
LAUNCH(192, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    constexpr int THREADS = 192, COPIES = 3;
    __shared__ __align__(16) unsigned counts[COPIES][256];

    const int t = threadIdx.x;
    unsigned *mine = counts[t / 64];
    reinterpret_cast<uint4 *>(&counts[0][0])[t] = make_uint4(0, 0, 0, 0);  // 192 chunks are all of it
    __syncthreads();

    const size_t begin = (size_t)blockIdx.x * cols;
    const unsigned char *bytes = in + begin;
    const int head = min(cols, (int)((16 - begin % 16) % 16));
    const int quads = (cols - head) / 16, tail = (cols - head) % 16;

    auto one = [=](unsigned byte) { atomicAdd(mine + (byte >> shift), 1u); };
    auto word = [=](unsigned w) {
#pragma unroll
        for (int j = 0; j < 4; ++j, w >>= 8)
            one(w & 0xffu);
    };

    if (t < head)
        one(bytes[t]);
    if (t < tail)
        one(bytes[head + 16 * quads + t]);
    const uint4 *body = reinterpret_cast<const uint4 *>(bytes + head);
    for (int i = t; i < quads; i += THREADS) {
        const uint4 q = body[i];
        word(q.x);
        word(q.y);
        word(q.z);
        word(q.w);
    }
    __syncthreads();

    for (int v = t; v < 256; v += THREADS) {
        unsigned sum = 0;
#pragma unroll
        for (int h = 0; h < COPIES; ++h)
            sum += counts[h][v];
        out[(size_t)blockIdx.x * 256 + v] = sum;
    }
}
