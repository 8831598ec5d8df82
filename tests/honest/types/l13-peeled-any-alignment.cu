// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: C of the 90s: head bytes peeled up to a 16-byte boundary, body by uint4, tail; works at 16 bytes for any cols; 512 threads, red.shared in PTX
LAUNCH(512, 1, 1, 1)

static __device__ void bump(unsigned table, unsigned bin)
{
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(table + (bin << 2)) : "memory");
}

static __device__ void count4(unsigned table, unsigned w, int shift)
{
    bump(table, (w & 0xff) >> shift);
    bump(table, (w >> 8 & 0xff) >> shift);
    bump(table, (w >> 16 & 0xff) >> shift);
    bump(table, (w >> 24) >> shift);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *p, *end;
    const uint4 *q;
    unsigned table = (unsigned)__cvta_generic_to_shared(counts);
    int t = threadIdx.x, head, n;

    if (t < 256)
        counts[t] = 0;
    __syncthreads();

    p = in + (size_t)blockIdx.x * cols;
    end = p + cols;

    head = (int)(-(size_t)p & 15);
    if (head > cols)
        head = cols;
    if (t < head)
        bump(table, p[t] >> shift);
    p += head;

    n = (int)((end - p) >> 4);
    for (q = (const uint4 *)p + t; q < (const uint4 *)p + n; q += 512) {
        uint4 v = *q;
        count4(table, v.x, shift);
        count4(table, v.y, shift);
        count4(table, v.z, shift);
        count4(table, v.w, shift);
    }
    p += (size_t)n << 4;
    if (p + t < end)
        bump(table, p[t] >> shift);
    __syncthreads();

    if (t < 256)
        out[(size_t)blockIdx.x * 256 + t] = counts[t];
}
