// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: each warp has counts of its own, which are added up at the end
LAUNCH(256, 1, 1, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[8][256];
    const int t = threadIdx.x, warp = t / 32;
#pragma unroll
    for (int w = 0; w < 8; w++)
        counts[w][t] = 0;
    __syncthreads();
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    auto count = [&](unsigned char byte) { atomicAdd(&counts[warp][byte >> shift], 1u); };
    if (cols % 16 == 0) {
        for (int i = t; i < cols / 16; i += 256) {
            union { uint4 q; unsigned char b[16]; } sixteen;
            sixteen.q = reinterpret_cast<const uint4 *>(row)[i];
#pragma unroll
            for (int j = 0; j < 16; j++)
                count(sixteen.b[j]);
        }
    } else
        for (int i = t; i < cols; i += 256)
            count(row[i]);
    __syncthreads();
    unsigned total = 0;
#pragma unroll
    for (int w = 0; w < 8; w++)
        total += counts[w][t];
    out[blockIdx.x * 256 + t] = total;
}
