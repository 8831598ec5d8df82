// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a sense-reversing barrier that clears its counter before it opens
// 14 big tiles: two tiles of 96 x 96 floats in one block of dynamic shared memory, 72 KB.
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)
extern __shared__ float memory[];

// The block's twelve warps meet here: a counter, and a sense that turns over.
__device__ void meet(unsigned *count, volatile unsigned *sense, unsigned &mine)
{
    mine ^= 1;
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        __threadfence_block();
        if (atomicAdd(count, 1u) == 11) {
            __threadfence_block(); // what all others did before they arrived
            atomicExch(count, 0u);
            __threadfence_block();
            *sense = mine;
        } else
            while (*sense != mine) {
            }
        __threadfence_block();
    }
    __syncwarp();
}

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    __shared__ unsigned count;
    __shared__ volatile unsigned sense;
    unsigned mine = 0;
    if (threadIdx.x + threadIdx.y == 0) {
        count = 0;
        sense = 0;
    }
    __syncthreads();
    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    meet(&count, &sense, mine);

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        meet(&count, &sense, mine);
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
