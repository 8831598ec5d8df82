// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tiles of 96 x 96, and each pass makes two steps at once from nine words (the step between is never stored, and is 0 outside of the matrix): right, four passes and five barriers, no more loads than eight single steps
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;
    const int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    const int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    const bool has_left = x > 0, has_right = x + 1 < cols;
    for (int margin = 2; margin <= 8; margin += 2) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            if (r < margin || r >= SIDE - margin || c < margin || c >= SIDE - margin)
                continue;
            float result = 0.0f;
            if (y >= 0 && y < rows && x >= 0 && x < cols) {
                float middle = now[at];
                float upper_left = now[at - SIDE - 1], upper_right = now[at - SIDE + 1];
                float lower_left = now[at + SIDE - 1], lower_right = now[at + SIDE + 1];
                // The four neighbours after the first of the two steps, times four.
                float up = y > 0 ? now[at - 2 * SIDE] + middle + upper_left + upper_right : 0.0f;
                float down = y + 1 < rows ? now[at + 2 * SIDE] + middle + lower_left + lower_right : 0.0f;
                float left = has_left ? now[at - 2] + middle + upper_left + lower_left : 0.0f;
                float right = has_right ? now[at + 2] + middle + upper_right + lower_right : 0.0f;
                result = 0.0625f * ((up + down) + (left + right));
            }
            next[at] = result;
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
