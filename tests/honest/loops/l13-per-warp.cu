// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: a histogram for each warp, words of four bytes
LAUNCH(256, 1, 1, 1)
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[8][256];
    const unsigned char *p = in + (size_t)blockIdx.x * cols;
    unsigned *mine = bins[threadIdx.x / 32];
    for (int j = threadIdx.x; j < 2048; j += 256) (&bins[0][0])[j] = 0;
    __syncthreads();
    int head = min(cols, (int)(-(size_t)p & 15)), words = (cols - head) / 16;
    if ((int)threadIdx.x < head) atomicAdd(mine + (p[threadIdx.x] >> shift), 1u);
    const uint4 *q = (const uint4 *)(p + head);
    for (int j = threadIdx.x; j < words; j += 256) {
        uint4 four = q[j];
        auto count = [&](unsigned w) {
#pragma unroll
            for (int s = 0; s < 32; s += 8) atomicAdd(mine + ((w >> s & 0xff) >> shift), 1u);
        };
        count(four.x); count(four.y); count(four.z); count(four.w);
    }
    for (int j = head + words * 16 + threadIdx.x; j < cols; j += 256) atomicAdd(mine + (p[j] >> shift), 1u);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; w++) sum += bins[w][threadIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
