// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: black and white cells in planes of their own: a colour's new values want the other's old ones only
constexpr int ROWS = 88, COLUMNS = 128, HALF = COLUMNS / 2;
constexpr int BYTES = 2 * 2 * ROWS * HALF * sizeof(float);
LAUNCH(HALF, 8, COLUMNS - 16, ROWS - 16, BYTES, BYTES)

// Cell (r, c) has colour (r + c) % 2. Of a colour each row has 64 cells, number j at column 2 j or 2 j + 1.
struct Cells {
    float plane[2][ROWS][HALF];
};

extern __shared__ __align__(16) unsigned char memory[];

__global__ void __launch_bounds__(512)
relax(float *out, const float *in, int rows, int cols)
{
    Cells *cells = reinterpret_cast<Cells *>(memory);

    int j = threadIdx.x, x = blockIdx.x * (COLUMNS - 16) - 8 + 2 * j;  // of the left cell of a pair
    int y0 = (int)blockIdx.y * (ROWS - 16) - 8;
    int colour = threadIdx.y & 1;  // of the left cells in this thread's rows, which are 8 apart
    bool pairs = cols % 2 == 0;
    bool left_in = x >= 0 && x < cols, right_in = x + 1 >= 0 && x + 1 < cols;

#pragma unroll 4
    for (int r = threadIdx.y; r < ROWS; r += 8) {
        int y = y0 + r;
        float2 two = {};
        if (y >= 0 && y < rows) {
            const float *from = in + y * cols + x;
            if (pairs) {
                if (left_in)
                    two = *(const float2 *)from;
            } else {
                if (left_in)
                    two.x = from[0];
                if (right_in)
                    two.y = from[1];
            }
        }
        cells[0].plane[colour][r][j] = two.x;
        cells[0].plane[colour ^ 1][r][j] = two.y;
    }
    __syncthreads();

#pragma unroll 1
    for (int step = 1; step <= 8; step++) {
        const Cells &now = cells[step + 1 & 1];
        Cells &next = cells[step & 1];
        const auto &same = now.plane[colour], &other = now.plane[colour ^ 1];
        bool left_good = 2 * j >= step && 2 * j < COLUMNS - step;
        bool right_good = 2 * j + 1 >= step && 2 * j + 1 < COLUMNS - step;
        for (int r = threadIdx.y; r < ROWS - step; r += 8) {
            if (r < step)
                continue;
            bool here = y0 + r >= 0 && y0 + r < rows;
            // The left cell: its neighbours are of the other colour, and so is the right cell beside it.
            if (left_good)
                next.plane[colour][r][j] =
                    here && left_in
                        ? 0.25f * (other[r - 1][j] + other[r + 1][j] + other[r][j - 1] + other[r][j])
                        : 0.0f;
            if (right_good)
                next.plane[colour ^ 1][r][j] =
                    here && right_in
                        ? 0.25f * (same[r - 1][j] + same[r + 1][j] + same[r][j] + same[r][j + 1])
                        : 0.0f;
        }
        __syncthreads();
    }

    if (j < 4 || j >= HALF - 4)
        return;
    for (int r = threadIdx.y; r < ROWS - 8; r += 8) {
        int y = y0 + r;
        if (r < 8 || y >= rows)
            continue;
        float2 two = make_float2(cells[0].plane[colour][r][j], cells[0].plane[colour ^ 1][r][j]);
        float *to = out + y * cols + x;
        if (pairs) {
            if (left_in)
                *(float2 *)to = two;
        } else {
            if (left_in)
                to[0] = two.x;
            if (right_in)
                to[1] = two.y;
        }
    }
}
