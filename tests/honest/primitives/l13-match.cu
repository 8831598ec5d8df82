// lesson 13; device sim,gpu; nvcc,clang; want: pass|fail, at least 70; tries: equal bytes of a warp are added up by match_any first
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    if (cols % 128 == 0)
        for (int i = threadIdx.x; i < cols / 4; i += 256) {
            unsigned w = ((const unsigned *)row)[i];
            for (int b = 0; b < 32; b += 8) {
                unsigned bin = (w >> b & 255) >> shift, same = __match_any_sync(__activemask(), bin);
                if ((threadIdx.x & 31) == __ffs(same) - 1)
                    atomicAdd(&counts[bin], __popc(same));
            }
        }
    else
        for (int i = threadIdx.x; i < cols; i += 256)
            atomicAdd(&counts[row[i] >> shift], 1u);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}
