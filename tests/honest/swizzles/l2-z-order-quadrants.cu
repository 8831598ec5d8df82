// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads visit the four quadrants of the tile by a recursive template, in Z order
LAUNCH(16, 16, 32, 32)

struct Corner {
    int row, column;
};

// The quadrants of a square of SIDE, each as large as the block of threads.
template <int SIDE, int THREADS, typename Visit>
__device__ __forceinline__ void z_order(Corner at, Visit &visit)
{
    if constexpr (SIDE == THREADS) {
        visit(at);
    } else {
        constexpr int HALF = SIDE / 2;
        z_order<HALF, THREADS>(Corner{at.row, at.column}, visit);
        z_order<HALF, THREADS>(Corner{at.row, at.column + HALF}, visit);
        z_order<HALF, THREADS>(Corner{at.row + HALF, at.column}, visit);
        z_order<HALF, THREADS>(Corner{at.row + HALF, at.column + HALF}, visit);
    }
}

// A half-warp has 16 rows of one column of in: 64 bytes in a row of out, which are two whole sectors.
__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    Corner block{(int)blockIdx.y * 32, (int)blockIdx.x * 32};
    float value[4];
    int seen = 0;
    auto take = [&](Corner q) {
        int row = q.row + threadIdx.x, column = q.column + threadIdx.y;
        value[seen++] = row < height && column < width ? in[row * width + column] : 0.0f;
    };
    auto give = [&](Corner q) {
        int row = q.row + threadIdx.x, column = q.column + threadIdx.y;
        if (row < height && column < width)
            out[column * height + row] = value[seen];
        ++seen;
    };
    z_order<32, 16>(block, take);
    seen = 0;
    z_order<32, 16>(block, give);
}
