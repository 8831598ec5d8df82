// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: eight halves of words in a struct, by value, two bytes of each
struct alignas(16) eight {
    unsigned short pair[8];
};
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    if (cols % 16 == 0) {
        for (int i = threadIdx.x; i < cols / 16; i += 256) {
            eight s = reinterpret_cast<const eight *>(row)[i];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                atomicAdd(&counts[(s.pair[j] & 255) >> shift], 1u);
                atomicAdd(&counts[s.pair[j] >> 8 >> shift], 1u);
            }
        }
    } else
        for (int i = threadIdx.x; i < cols; i += 256)
            atomicAdd(&counts[row[i] >> shift], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
