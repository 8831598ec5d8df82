// lesson 13; device sim,gpu; nvcc,clang; want: fail|timeout; tries: rows are read in the aligned 16 bytes that they touch, so the last window of the last row reaches up to 15 bytes past the end of in, wherever rows * cols is no multiple of 16 (most sizes)
// 13 histogram: sixteen bytes a load for rows of any length. What belongs to the neighbours is masked.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // The row is bytes [begin, end) of in; the windows that it touches begin at multiples of 16.
    size_t begin = blockIdx.x * (size_t)cols, end = begin + cols;
    for (size_t at = (begin & ~(size_t)15) + t * 16; at < end; at += blockDim.x * 16) {
        uint4 q = *(const uint4 *)(in + at);
        unsigned words[4] = {q.x, q.y, q.z, q.w};
        if (at >= begin && at + 16 <= end) {
#pragma unroll
            for (int j = 0; j < 16; j++)
                atomicAdd(&counts[(words[j / 4] >> j % 4 * 8 & 255) >> shift], 1);
        } else {
#pragma unroll
            for (int j = 0; j < 16; j++)
                if (at + j >= begin && at + j < end)
                    atomicAdd(&counts[(words[j / 4] >> j % 4 * 8 & 255) >> shift], 1);
        }
    }
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
