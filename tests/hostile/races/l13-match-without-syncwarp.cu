// lesson 13; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the same without __syncwarp: an earlier count of another lane may not be there yet
LAUNCH(256, 1, 1, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned h[8][256];
    int t = threadIdx.x, lane = t % 32;
    for (int j = 0; j < 8; j++) h[j][t] = 0;
    __syncthreads();
    const unsigned char *p = in + blockIdx.x * (size_t)cols;
    unsigned *mine = h[t / 32];
    auto hit = [&](unsigned v, unsigned who) {
        unsigned same = __match_any_sync(who, v);
        if (lane == __ffs(same) - 1) mine[v] += __popc(same);
        
    };
    if (cols % 4 == 0)
        for (int i = t; i - lane < cols / 4; i += 256) {
            unsigned who = __ballot_sync(~0u, i < cols / 4);
            if (i < cols / 4) { unsigned w = ((const unsigned *)p)[i]; for (int j = 0; j < 4; j++) hit((w >> j * 8 & 255) >> shift, who); }
        }
    else
        for (int i = t; i - lane < cols; i += 256) {
            unsigned who = __ballot_sync(~0u, i < cols);
            if (i < cols) hit(p[i] >> shift, who);
        }
    __syncthreads();
    unsigned sum = 0;
    for (int j = 0; j < 8; j++) sum += h[j][t];
    out[blockIdx.x * 256 + t] = sum;
}
