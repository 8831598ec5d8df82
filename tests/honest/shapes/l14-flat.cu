// lesson 14; device sim,gpu; nvcc,clang; want: pass; tries: a flat block of 1024 threads over tiles of 96 x 64
constexpr int W = 96, H = 80, BYTES = 2 * W * H * 4;
LAUNCH(1024, 1, W - 16, H - 16, BYTES, BYTES)

extern __shared__ unsigned char memory[];

__global__ void __launch_bounds__(1024) relax(float *out, const float *in, int rows, int cols)
{
    float (*now)[W] = (float (*)[W])memory, (*next)[W] = now + H;
    int x0 = blockIdx.x * (W - 16) - 8, y0 = blockIdx.y * (H - 16) - 8;
    auto real = [=](int r, int c) { return y0 + r >= 0 && y0 + r < rows && x0 + c >= 0 && x0 + c < cols; };
    for (int e = threadIdx.x; e < W * H; e += 1024)
        now[e / W][e % W] = real(e / W, e % W) ? in[(y0 + e / W) * cols + x0 + e % W] : 0;
    __syncthreads();
    for (int ring = 1; ring <= 8; ring++) {
        for (int e = threadIdx.x; e < W * H; e += 1024) {
            int r = e / W, c = e % W;
            if (r < ring || r >= H - ring || c < ring || c >= W - ring)
                continue;
            float f = (now[r - 1][c] + now[r + 1][c]) + (now[r][c - 1] + now[r][c + 1]);
            next[r][c] = real(r, c) ? f / 4 : 0;
        }
        __syncthreads();
        auto t = now;
        now = next, next = t;
    }
    for (int e = threadIdx.x; e < W * H; e += 1024) {
        int r = e / W, c = e % W;
        if (r >= 8 && r < H - 8 && c >= 8 && c < W - 8 && real(r, c))
            out[(y0 + r) * cols + x0 + c] = now[r][c];
    }
}
