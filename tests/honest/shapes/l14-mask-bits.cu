// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: 96 x 4 threads, what is inside kept as a bit for each of a thread's 24 rows, unrolled
constexpr int S = 96;
LAUNCH(S, 4, S - 16, S - 16, 2 * S * S * 4, 2 * S * S * 4)
__global__ void __launch_bounds__(384) relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ float mem[];
    const int c = threadIdx.x, y4 = threadIdx.y;
    const int x = blockIdx.x * (S - 16) + c - 8, y0 = blockIdx.y * (S - 16) - 8;
    unsigned inside = 0;
    float *p = mem + y4 * S + c;
#pragma unroll
    for (int j = 0; j < 24; j++) {
        int y = y0 + y4 + 4 * j;
        float v = 0.0f;
        if ((unsigned)y < (unsigned)rows && (unsigned)x < (unsigned)cols) { inside |= 1u << j; v = in[y * cols + x]; }
        p[j * 4 * S] = v;
    }
    float *q = p + S * S;
    for (int step = 1; step <= 8; step++) {
        __syncthreads();
        if (c >= step && c < S - step)
#pragma unroll
            for (int j = 0; j < 24; j++) {
                int r = y4 + 4 * j;
                if (r < step || r >= S - step) continue;
                const float *f = p + j * 4 * S;
                q[j * 4 * S] = inside >> j & 1 ? 0.25f * ((f[-S] + f[S]) + (f[-1] + f[1])) : 0.0f;
            }
        float *h = p; p = q; q = h;
    }
    if (c >= 8 && c < S - 8)
#pragma unroll
        for (int j = 2; j < 22; j++)
            if (inside >> j & 1) out[(y0 + y4 + 4 * j) * cols + x] = p[j * 4 * S];
}
