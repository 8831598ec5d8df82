// lesson 14; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cols a multiple of 4: tiles stay small (48 x 48 in 18 KB, 2.25 floats brought for each output instead of at most 1.55), and the traffic is hidden in bulk copies
constexpr int SIDE = 48;
LAUNCH(SIDE, 16, SIDE - 16, SIDE - 16)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    __shared__ __align__(128) float first[SIDE * SIDE];
    __shared__ __align__(128) float second[SIDE * SIDE];
    __shared__ unsigned long long full;
    float *now = first, *next = second;

    int c = threadIdx.x, x0 = blockIdx.x * (SIDE - 16) - 8, x = x0 + c;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    if (cols % 4 == 0) {
        int from = max(x0, 0), to = min(x0 + SIDE, cols), bytes = (to - from) * 4;
        int top = max(y0, 0), bottom = min(y0 + SIDE, rows);
        if (c == 0 && threadIdx.y == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(AT(&full)) : "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&full)), "r"(bytes * (bottom - top)) : "memory");
        }
        __syncthreads();
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (!inside)
                now[r * SIDE + c] = 0.0f;
            if (c == 0 && y >= 0 && y < rows)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                             ::"r"(AT(&now[r * SIDE + from - x0])), "l"(__cvta_generic_to_global(in + y * cols + from)),
                             "r"(bytes), "r"(AT(&full)) : "memory");
        }
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&full)) : "memory");
    } else
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
        }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
