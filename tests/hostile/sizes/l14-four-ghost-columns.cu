// lesson 14; device sim,gpu; nvcc,clang; want: fail; tries: holds up to four columns right of the matrix for harmless and lets them take values, which are 0 in every step by the task, and reach out: cols % 80 = 4 to 7

constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)



extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{


    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    bool inner = blockIdx.x * (SIDE - 16) + SIDE - 12 <= cols;  // what is beyond, 4 columns at most, is thought not to reach
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && (inner || x < cols);
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
