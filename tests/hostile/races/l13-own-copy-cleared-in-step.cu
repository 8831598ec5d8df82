// lesson 13; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: counts for each warp, cleared by its own lanes with nothing between clearing and counting, "since a warp runs in step", since sm_70 it need not, and a lane may count where another has not cleared yet
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[8][256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, lane = t % 32;
    unsigned *mine = counts[t / 32];

    for (int v = lane; v < 256; v += 32)
        mine[v] = 0;
    // no __syncthreads() here: these counts are this warp's alone

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&mine[(w >> at & 255) >> shift], 1);
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&mine[bytes[i] >> shift], 1);
    __syncthreads();

    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
        sum += counts[w][t];
    out[blockIdx.x * 256 + t] = sum;
}
