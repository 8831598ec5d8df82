// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: twice four steps with a halo of four that the second round takes from out, behind __threadfence() and __syncthreads(), neither waits for the neighbouring blocks, which may not have stored it or have stored the end result
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 8, SIDE - 8, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 8) + c - 4;
    int y0 = blockIdx.y * (SIDE - 8) - 4;

    for (int turn = 0; turn < 2; turn++) {
        // Four steps want a halo of four. Then the halo comes anew, from what the neighbours
        // have stored.
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            bool halo = r < 4 || r >= SIDE - 4 || c < 4 || c >= SIDE - 4;
            if (turn == 0)
                now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
            else if (halo)
                now[r * SIDE + c] = inside ? out[y * cols + x] : 0.0f;
        }
        __syncthreads();

        for (int step = 1; step <= 4; step++) {
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
            if (r >= 4 && r < SIDE - 4 && c >= 4 && c < SIDE - 4 && y < rows && x < cols)
                out[y * cols + x] = now[r * SIDE + c];
        }
        __threadfence();
        __syncthreads();
    }
}
