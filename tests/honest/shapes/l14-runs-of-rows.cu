// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: 88 x 11 threads, each eight rows in turn with up, here and down kept in registers
constexpr int SIDE = 88, RUN = 8, PITCH = 91;  // eight rows further on: 24 banks, where the next row of threads goes on
LAUNCH(SIDE, 11, SIDE - 16, SIDE - 16, 2 * SIDE * PITCH * 4, 2 * SIDE * PITCH * 4)
extern __shared__ float boards[];
__global__ void __launch_bounds__(968) relax(float *out, const float *in, int rows, int cols)
{
    float *from = boards, *to = boards + SIDE * PITCH;
    const int c = threadIdx.x, r0 = threadIdx.y * RUN;
    const int x = blockIdx.x * (SIDE - 16) + c - 8, y0 = blockIdx.y * (SIDE - 16) - 8;
    const bool col = x >= 0 && x < cols;
#pragma unroll
    for (int j = 0; j < RUN; j++) {
        int y = y0 + r0 + j;
        from[(r0 + j) * PITCH + c] = col && y >= 0 && y < rows ? in[(size_t)y * cols + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step <= 8; ++step) {
        if (c >= step && c < SIDE - step) {
            const int a = max(r0, step), z = min(r0 + RUN, SIDE - step);
            if (a < z) {
                const float *p = from + a * PITCH + c;
                float up = p[-PITCH], here = p[0];
                for (int r = a; r < z; ++r, p += PITCH) {
                    float down = p[PITCH];
                    int y = y0 + r;
                    to[r * PITCH + c] = col && y >= 0 && y < rows ? 0.25f * (up + down + p[-1] + p[1]) : 0.0f;
                    up = here;
                    here = down;
                }
            }
        }
        __syncthreads();
        float *h = from;
        from = to;
        to = h;
    }
    if (c >= 8 && c < SIDE - 8 && col)
#pragma unroll
        for (int j = 0; j < RUN; j++) {
            int r = r0 + j, y = y0 + r;
            if (r >= 8 && r < SIDE - 8 && y < rows) out[(size_t)y * cols + x] = from[r * PITCH + c];
        }
}
