// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: shifts four bytes with one shift and a mask of 255 >> shift in each byte, right for shifts 0 to 8, uint4, unsigned or bytes as the row's alignment allows, one set of counts, three phases, two barriers
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    unsigned mask = (255u >> shift) * 0x01010101u;  // what of each byte is left
    int t = threadIdx.x;

    counts[t] = 0;
    __syncthreads();

    auto four = [&](unsigned w) {
        w = w >> shift & mask;
        atomicAdd(counts + (w & 255), 1u);
        atomicAdd(counts + (w >> 8 & 255), 1u);
        atomicAdd(counts + (w >> 16 & 255), 1u);
        atomicAdd(counts + (w >> 24), 1u);
    };

    if (cols % 16 == 0)
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = ((const uint4 *)bytes)[i];
            four(q.x);
            four(q.y);
            four(q.z);
            four(q.w);
        }
    else if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 256)
            four(((const unsigned *)bytes)[i]);
    else
        for (int i = t; i < cols; i += 256)
            atomicAdd(counts + (bytes[i] >> shift), 1u);
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
