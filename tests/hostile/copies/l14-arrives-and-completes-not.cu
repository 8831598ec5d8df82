// lesson 14; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all but the last warp arrive with .noComplete: undefined where one of them comes last and does complete the phase
// 14 big tiles: two tiles of 96 x 96 floats in one block of dynamic shared memory, 72 KB.
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

// The size of this array is the launch's. All extern __shared__ arrays of a kernel begin at the
// same place, so there is one, and the kernel carves it up.
extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    // 96 * 96 floats are a multiple of 16 bytes, so that the second tile is aligned as well as
    // the first.
    float *now = memory, *next = memory + SIDE * SIDE;

    __shared__ unsigned long long meeting;
    unsigned at_meeting = (unsigned)__cvta_generic_to_shared(&meeting);
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at_meeting), "r"(SIDE * 4) : "memory");
    __syncthreads();
    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        unsigned long long token;
        if (threadIdx.y * SIDE + threadIdx.x < SIDE * 4 - 32)
            asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0, [%1], 1;" : "=l"(token) : "r"(at_meeting) : "memory");
        else
            asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(at_meeting) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(at_meeting), "r"((step + 1) % 2) : "memory");
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
