// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tiles of 128 x 72
constexpr int W = 128, H = 72, BYTES = 2 * W * H * (int)sizeof(float);
LAUNCH(W, 4, W - 16, H - 16, BYTES, BYTES)

extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + W * H;
    int c = threadIdx.x, x = (int)blockIdx.x * (W - 16) + c - 8, top = (int)blockIdx.y * (H - 16) - 8;
    for (int r = threadIdx.y; r < H; r += 4) {
        int y = top + r;
        now[r * W + c] = y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();
    for (int step = 1; step <= 8; step++, __syncthreads()) {
        for (int r = threadIdx.y; r < H; r += 4) {
            int y = top + r, at = r * W + c;
            if (r < step || r >= H - step || c < step || c >= W - step)
                continue;
            next[at] = y >= 0 && y < rows && x >= 0 && x < cols
                           ? 0.25f * (now[at - W] + now[at + W] + now[at - 1] + now[at + 1]) : 0.0f;
        }
        float *t = now;
        now = next;
        next = t;
    }
    for (int r = threadIdx.y + 8; r < H - 8; r += 4)
        if (c >= 8 && c < W - 8 && top + r < rows && x < cols)
            out[(top + r) * cols + x] = now[r * W + c];
}
