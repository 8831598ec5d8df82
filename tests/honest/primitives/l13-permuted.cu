// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: bytes picked by __byte_perm, words from a union
LAUNCH(128, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    counts[threadIdx.x] = counts[threadIdx.x + 128] = 0;
    __syncthreads();
    auto add = [&](unsigned w) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            atomicAdd(counts + (__byte_perm(w, 0, 0x4440 + i) >> shift), 1u);
    };
    int i = threadIdx.x;
    union {
        uint4 q;
        unsigned w[4];
    } u;
    if (cols % 16 == 0)
        for (; i < cols / 16; i += 128) {
            u.q = ((const uint4 *)bytes)[i];
            add(u.w[0]), add(u.w[1]), add(u.w[2]), add(u.w[3]);
        }
    else
        for (; i < cols; i += 128)
            atomicAdd(counts + (bytes[i] >> shift), 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += 128)
        out[blockIdx.x * 256 + v] = counts[v];
}
