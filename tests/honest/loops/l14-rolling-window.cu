// lesson 14; device sim,gpu; nvcc,clang; want: pass; tries: a thread walks down a strip of rows and keeps the one above and its own in registers
constexpr int SIDE = 96, STRIP = 12;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 8, SIDE - 16, SIDE - 16, BYTES, BYTES)
extern __shared__ float memory[];
__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;
    const int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8, y0 = blockIdx.y * (SIDE - 16) - 8;
    const int top = threadIdx.y * STRIP, bottom = top + STRIP;
    const bool column = x >= 0 && x < cols;
#pragma unroll 4
    for (int r = top; r < bottom; r++)
        now[r * SIDE + c] = column && y0 + r >= 0 && y0 + r < rows ? in[(y0 + r) * cols + x] : 0.0f;
    __syncthreads();
    for (int step = 1; step <= 8; step++) {
        const int from = max(top, step), to = min(bottom, SIDE - step);
        if (c >= step && c < SIDE - step && from < to) {
            float up = now[(from - 1) * SIDE + c], mid = now[from * SIDE + c];
#pragma unroll 4
            for (int r = from; r < to; r++) {
                const float down = now[(r + 1) * SIDE + c];
                const bool inside = column && y0 + r >= 0 && y0 + r < rows;
                next[r * SIDE + c] = inside ? 0.25f * (up + down + now[r * SIDE + c - 1] + now[r * SIDE + c + 1]) : 0.0f;
                up = mid;
                mid = down;
            }
        }
        __syncthreads();
        float *t = now;
        now = next;
        next = t;
    }
    for (int r = max(top, 8); r < min(bottom, SIDE - 8); r++)
        if (c >= 8 && c < SIDE - 8 && y0 + r < rows && x < cols)
            out[(y0 + r) * cols + x] = now[r * SIDE + c];
}
