// lesson 13; device sim,gpu; nvcc,clang; want: fail; tries: bytes are counted in an array of each thread's own, which is local memory (global memory), and shared memory only adds the finished counts
LAUNCH(128, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    unsigned mine[256];  // indexed at run time: not registers
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += 128)
        counts[v] = 0;
    for (int v = 0; v < 256; v++)
        mine[v] = 0;
    if (cols % 16 == 0) {
        for (int i = t; i < cols / 16; i += 128) {
            uint4 four = ((const uint4 *)bytes)[i];
            unsigned word[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int j = 0; j < 16; j++)
                mine[(word[j / 4] >> j % 4 * 8 & 255) >> shift]++;
        }
    } else if (cols % 4 == 0) {
        for (int i = t; i < cols / 4; i += 128) {
            unsigned word = ((const unsigned *)bytes)[i];
#pragma unroll
            for (int j = 0; j < 4; j++)
                mine[(word >> j * 8 & 255) >> shift]++;
        }
    } else
        for (int i = t; i < cols; i += 128)
            mine[bytes[i] >> shift]++;
    __syncthreads();
    for (int v = 0; v < 256; v++) {
        int bin = (v + t) & 255;  // no two lanes meet
        atomicAdd(&counts[bin], mine[bin]);
    }
    __syncthreads();
    for (int v = t; v < 256; v += 128)
        out[blockIdx.x * 256 + v] = counts[v];
}
