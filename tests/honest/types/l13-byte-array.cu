// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: sixteen bytes in a struct of bytes, by value
struct alignas(16) sixteen {
    unsigned char byte[16];
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
            sixteen s = reinterpret_cast<const sixteen *>(row)[i];
#pragma unroll
            for (int j = 0; j < 16; j++)
                atomicAdd(&counts[s.byte[j] >> shift], 1u);
        }
    } else
        for (int i = threadIdx.x; i < cols; i += 256)
            atomicAdd(&counts[row[i] >> shift], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
