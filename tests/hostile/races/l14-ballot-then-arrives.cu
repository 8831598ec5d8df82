// lesson 14; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the nine phases are kept apart by an mbarrier at which lane 0 of each warp arrives behind a ballot of the warp. A vote orders no memory and there is no __syncwarp(): the arrival releases lane 0's stores alone, so what lanes 1 to 31 filled or computed races with the next step's readers in other warps. Every step, every size with more than one row or column.
// 14 big tiles: two tiles of 96 x 96 floats, steps parted by an mbarrier, one arrival a warp.
constexpr int SIDE = 96;
constexpr int TILES = 2 * SIDE * SIDE * sizeof(float), BYTES = TILES + 16;
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ __align__(16) float memory[];

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

// All warps of the block meet. A warp's lanes vote first: none is missing when lane 0 speaks for them.
__device__ void meet(unsigned long long *bar, int lane, unsigned &parity)
{
    unsigned all;
    asm volatile("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(all)::"memory");
    if (lane == 0 && all == ~0u)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(bar)) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(bar)), "r"(parity) : "memory");
    parity ^= 1;
}

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;
    unsigned long long *bar = (unsigned long long *)(memory + 2 * SIDE * SIDE);

    int c = threadIdx.x, lane = c % 32, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;
    unsigned parity = 0;

    if (c == 0 && threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 12;" ::"r"(AT(bar)) : "memory");  // 12 warps
    __syncthreads();

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    meet(bar, lane, parity);

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += 4) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        meet(bar, lane, parity);
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += 4) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
