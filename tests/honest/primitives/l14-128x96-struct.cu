// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: tiles 128 wide and 96 high, struct Board with ping and pong, 128 x 6 threads, cg::sync
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
enum { W = 128, H = 96, R = 8, BYTES = 2 * W * H * 4 };
struct Board {
    float (*ping)[W], (*pong)[W];
    __device__ explicit Board(void *m) : ping((float(*)[W])m), pong((float(*)[W])m + H) {}
    __device__ void swap() { auto t = ping; ping = pong; pong = t; }
    __device__ float mean(int r, int c) const { return (ping[r - 1][c] + ping[r + 1][c] + ping[r][c - 1] + ping[r][c + 1]) / 4; }
};
LAUNCH(W, 6, W - 2 * R, H - 2 * R, BYTES, BYTES)
__global__ void __launch_bounds__(W * 6) relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ __align__(16) char raw[];
    Board b(raw);
    auto g = cg::this_thread_block();
    const int c = threadIdx.x, x = blockIdx.x * (W - 2 * R) + c - R, top = blockIdx.y * (H - 2 * R) - R;
    const bool good = x >= 0 && x < cols;
    const int lo = max(0, -top), hi = min(H, rows - top);
    for (int r = threadIdx.y; r < H; r += 6)
        b.ping[r][c] = good && r >= lo && r < hi ? in[(top + r) * cols + x] : 0.0f;
    cg::sync(g);
    for (int s = 1; s <= R; s++) {
        for (int r = s + threadIdx.y; r < H - s; r += 6)
            if (c >= s && c < W - s)
                b.pong[r][c] = good && r >= lo && r < hi ? b.mean(r, c) : 0.0f;
        cg::sync(g);
        b.swap();
    }
    if (c >= R && c < W - R && good)
        for (int r = R + threadIdx.y; r < min(H - R, hi); r += 6) out[(top + r) * cols + x] = b.ping[r][c];
}
