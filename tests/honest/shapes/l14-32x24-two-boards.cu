// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: 32 x 24 threads on tiles of 96 x 96, three columns for each thread by stride 32; the two boards are members of one struct laid over the dynamic memory, the steps counted downwards, a barrier after each; right at all edges
constexpr int SIDE = 96, KEEP = SIDE - 16;
LAUNCH(32, 24, KEEP, KEEP, 2 * SIDE * SIDE * 4, 2 * SIDE * SIDE * 4)

struct Boards { float board[2][SIDE][SIDE]; };

extern __shared__ __align__(16) unsigned char memory[];

struct Place {
    long long x, y;
    __device__ bool inside(int rows, int cols) const { return y >= 0 && y < rows && x >= 0 && x < cols; }
};

__global__ void __launch_bounds__(768) relax(float *out, const float *in, int rows, int cols)
{
    Boards &boards = *reinterpret_cast<Boards *>(memory);
    auto place = [&](int r, int c) {
        Place p;
        p.x = (long long)blockIdx.x * KEEP + c - 8;
        p.y = (long long)blockIdx.y * KEEP + r - 8;
        return p;
    };
    auto each = [&](auto &&f) {
        for (int r = threadIdx.y; r < SIDE; r += 24)
#pragma unroll
            for (int c = threadIdx.x; c < SIDE; c += 32)
                f(r, c, place(r, c));
    };

    each([&](int r, int c, Place p) {
        boards.board[0][r][c] = p.inside(rows, cols) ? __ldg(&in[p.y * cols + p.x]) : 0.0f;
    });
    __syncthreads();

    int from = 0;
    for (int left = 7; left >= 0; left--) {
        const int ring = 8 - left;  // 1 to 8
        const auto &now = boards.board[from];
        auto &next = boards.board[from ^ 1];
        each([&](int r, int c, Place p) {
            if (r < ring || r >= SIDE - ring || c < ring || c >= SIDE - ring)
                return;
            next[r][c] = p.inside(rows, cols)
                             ? 0.25f * ((now[r - 1][c] + now[r + 1][c]) + (now[r][c - 1] + now[r][c + 1]))
                             : 0.0f;
        });
        __syncthreads();
        from ^= 1;
    }

    each([&](int r, int c, Place p) {
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && p.inside(rows, cols))
            out[p.y * cols + p.x] = boards.board[from][r][c];
    });
}
