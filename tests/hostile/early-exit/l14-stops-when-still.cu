// lesson 14; device sim; nvcc,clang; want: fail|timeout; tries: a block stops as soon as a step changes none of the elements that it will store, though what moves in its halo would still have come in: one spike in a matrix of zeros does not get across a seam
constexpr int SIDE = 72;
LAUNCH(SIDE, 12, SIDE - 16, SIDE - 16)

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float first[SIDE * SIDE], second[SIDE * SIDE];
    float *now = first, *next = second;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        bool moves = false;
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step) {
                float mean = 0.25f * (now[at - SIDE] + now[at + SIDE] + now[at - 1] + now[at + 1]);
                next[at] = inside ? mean : 0.0f;
                if (inside && r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8)
                    moves |= mean != now[at];
            }
        }
        if (!__syncthreads_or(moves))
            break;  // it has settled
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
