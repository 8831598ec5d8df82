// Each thread counts one bin and reads the whole row for it: no atomics, and every byte 256 times.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    unsigned count = 0;
    for (int i = 0; i < cols; i++)
        count += bytes[i] >> shift == threadIdx.x;
    out[blockIdx.x * 256 + threadIdx.x] = count;
}
