// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: uchar4 by structured bindings
LAUNCH(512, 1, 1, 1)
__global__ void __launch_bounds__(512) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    if (threadIdx.x < 256)
        counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    if (cols % 4 == 0)
        for (int i = threadIdx.x; i < cols / 4; i += 512) {
            const auto [x, y, z, w] = reinterpret_cast<const uchar4 *>(row)[i];
            for (const unsigned char v : {x, y, z, w})
                atomicAdd_block(&counts[v >> shift], 1u);
        }
    else
        for (int i = threadIdx.x; i < cols; i += 512)
            atomicAdd_block(&counts[row[i] >> shift], 1u);
    __syncthreads();
    if (threadIdx.x < 256)
        out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
