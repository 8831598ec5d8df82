// Counts for each lane, and two rows a block: one in the lower halves of the words, one in the upper. They are cleared and
// added once for both. The next bytes are on their way while these are counted, and are read as what is read once (__ldcs).
LAUNCH(512, 1, 2, 1)

__global__ void __launch_bounds__(512, 4)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(16) unsigned counts[256 * 32];  // bin * 32 + lane: the bank is the lane
    int t = threadIdx.x, half = t / 256, lane = t % 32;
    int row = blockIdx.x * 2 + half;
    const unsigned char *bytes = in + row * (size_t)cols;
    const uint4 *quads = (const uint4 *)bytes;
    int most = row < rows && cols % 16 == 0 ? cols / 16 : 0;
    uint4 a = make_uint4(0, 0, 0, 0), b = a;
    if (t % 256 < most)
        a = __ldcs(&quads[t % 256]);
    if (t % 256 + 256 < most)
        b = __ldcs(&quads[t % 256 + 256]);
    for (int i = t; i < 256 * 8; i += 512)
        ((uint4 *)counts)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    // 16 bits are enough: a lane meets one byte in 32, so rows may have two million.
    unsigned one = half ? 1u << 16 : 1u;
    unsigned mask = (255u >> shift) * 0x01010101u;
    auto count = [&](uint4 q) {
        unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 16; k++) {
            // A bin's 32 words are 128 bytes: one shift makes an offset of byte k.
            unsigned bins = words[k / 4] >> shift & mask;
            unsigned at = (k % 4 == 0 ? bins << 7 : bins >> (k % 4 * 8 - 7)) & 0x7f80 | lane * 4;
            atomicAdd((unsigned *)((char *)counts + at), one);  // @count
        }
    };
    if (most) {
        int i = t % 256;
        for (; i + 768 < most; i += 512) {
            uint4 c = __ldcs(&quads[i + 512]), d = __ldcs(&quads[i + 768]);
            count(a);
            count(b);
            a = c;
            b = d;
        }
        if (i < most)
            count(a);
        if (i + 256 < most)
            count(b);
        if (i + 512 < most)
            count(__ldcs(&quads[i + 512]));
    } else if (row < rows)
        for (int i = t % 256; i < cols; i += 256)
            atomicAdd(&counts[(bytes[i] >> shift) * 32 | lane], one);
    __syncthreads();

    // Two threads add the 32 words of a bin, sixteen bytes a load. Eight neighbours begin in eight chunks.
    int bin = t / 2;
    unsigned lower = 0, upper = 0;
#pragma unroll
    for (int l = 0; l < 4; l++) {
        uint4 q = ((const uint4 *)counts)[bin * 8 + (t % 2 * 4 | (l + bin) % 4)];  // @add
        lower += (q.x & 0xffff) + (q.y & 0xffff) + (q.z & 0xffff) + (q.w & 0xffff);
        upper += (q.x >> 16) + (q.y >> 16) + (q.z >> 16) + (q.w >> 16);
    }
    lower += __shfl_xor_sync(0xffffffff, lower, 1);
    upper += __shfl_xor_sync(0xffffffff, upper, 1);
    int to = blockIdx.x * 2 + t % 2;
    if (to < rows)
        out[to * 256 + bin] = t % 2 ? upper : lower;
}
