// A thread takes 24 neighbouring rows of its column, so that what is below it now is above it two
// rows later: three loads for an element, not four.
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

    int each = SIDE / blockDim.y, top = threadIdx.y * each;
    for (int step = 1; step <= 8; step++) {
        int from = max(top, step), to = min(top + each, SIDE - step);
        if (c >= step && c < SIDE - step && from < to) {
            float above = now[(from - 1) * SIDE + c], here = now[from * SIDE + c];
#pragma unroll 4
            for (int r = from; r < to; r++) {
                int y = y0 + r, at = r * SIDE + c;
                float below = now[at + SIDE];
                bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
                next[at] = inside ? 0.25f * (above + below + now[at - 1] + now[at + 1]) : 0.0f;
                above = here;
                here = below;
            }
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
