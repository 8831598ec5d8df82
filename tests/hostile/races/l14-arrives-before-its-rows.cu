// lesson 14; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a thread arrives at the step's barrier when the first row of its strip is done and computes the other 23 behind that: the strip below, and the warps beside it, read rows that their writers have not announced; all sizes
// 14 big tiles: strips of 24 rows, and a barrier in two halves. Who has done the row that others wait for says so and goes on.
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float) + 8;  // a barrier behind the tiles
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

// The size of this array is the launch's. All extern __shared__ arrays of a kernel begin at the
// same place, so there is one, and the kernel carves it up.
extern __shared__ __align__(16) float memory[];

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(bar)) : "memory")
#define WAIT(bar, parity)                                                                                     \
    for (unsigned done = 0; !done;)                                                                           \
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" \
                 : "=r"(done) : "r"(AT(bar)), "r"(parity) : "memory")

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE, *met = memory + 2 * SIDE * SIDE;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(AT(met)), "r"(SIDE * 4) : "memory");

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int i = 0; i < SIDE / 4; i++) {
            int r = threadIdx.y * (SIDE / 4) + i;
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;
            if (i == 0)  // the edge of the strip; the rest is nobody else's
                ARRIVE(met);
        }
        WAIT(met, (step - 1) % 2);
        float *was = now;
        now = next;
        next = was;
    }

    for (int i = 0; i < SIDE / 4; i++) {
        int r = threadIdx.y * (SIDE / 4) + i, y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
