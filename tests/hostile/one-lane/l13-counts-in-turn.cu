// lesson 13; device sim,gpu; nvcc,clang; want: fail, gate turns|speed; tries: counts for each warp and no atomic: lanes add one after another
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts_of[8][256];
    volatile unsigned *counts = counts_of[threadIdx.x / 32];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t % 32; v < 256; v += 32)
        counts[v] = 0;
    __syncthreads();

    // Where each row begins at a multiple of 16 bytes, take 16 at a time.
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int j = t - t % 32; j < cols / 16; j += blockDim.x) {
            int i = j + t % 32;
            uint4 q = i < cols / 16 ? quads[i] : make_uint4(0, 0, 0, 0);
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    for (int lane = 0; lane < 32; lane++) {
                        if (t % 32 == lane && i < cols / 16)
                            counts[(w >> at & 255) >> shift]++;
                        __syncwarp();
                    }
        }
    } else
        for (int lane = 0; lane < 32; lane++) {
            if (t % 32 == lane)
                for (int i = t; i < cols; i += blockDim.x)
                    counts[bytes[i] >> shift]++;
            __syncwarp();
        }
    __syncthreads();

    for (int v = t; v < 256; v += blockDim.x)
        {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++)
            sum += counts_of[w][v];
        out[blockIdx.x * 256 + v] = sum;
    }
}
