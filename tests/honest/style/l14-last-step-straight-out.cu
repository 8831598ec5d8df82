// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: seven steps in the tiles, and the eighth stored to out as it is computed, which spares a store, a barrier and a read, only elements of the matrix are stored, and each reads what the seventh step wrote before a barrier
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 7; step++) {
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

    // The eighth step goes straight out: nobody reads it here.
    for (int r = 8 + threadIdx.y; r < SIDE - 8; r += blockDim.y) {
        int y = y0 + r, at = r * SIDE + c;
        if (c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = 0.25f * (now[at - SIDE] + now[at + SIDE] + now[at - 1] + now[at + 1]);
    }
}
