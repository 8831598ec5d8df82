// lesson 13; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: 16 bytes a load, but of 32 warps one at a time loads and counts, and the block waits at a barrier after each 512 bytes: 32 ways to DRAM one after another for a row, several times slower than the solution.
LAUNCH(1024, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    if (t < 256)
        counts[t] = 0;
    __syncthreads();

    int done = 0;
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
#pragma unroll 1
        for (int turn = 0; turn * 32 < cols / 16; turn++) {
            int i = turn * 32 + lane;
            if (warp == turn % 32 && i < cols / 16) {
                uint4 q = quads[i];
                unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
                for (int k = 0; k < 16; k++)
                    atomicAdd(&counts[(words[k / 4] >> k % 4 * 8 & 255) >> shift], 1);  // @count
            }
            __syncthreads();
        }
        done = cols;
    } else if (cols % 4 == 0) {
        const unsigned *words = (const unsigned *)bytes;
        for (int i = t; i < cols / 4; i += 1024) {
            unsigned w = words[i];
            for (int b = 0; b < 32; b += 8)
                atomicAdd(&counts[(w >> b & 255) >> shift], 1);
        }
        done = cols;
    }
    for (int i = done + t; i < cols; i += 1024)
        atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();
    if (t < 256)
        out[blockIdx.x * 256 + t] = counts[t];
}
