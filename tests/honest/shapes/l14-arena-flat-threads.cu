// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a small arena hands out the dynamic memory, 512 threads in one row walk over the tile with carried row and column, no division
constexpr int side = 104, rim = 8, kept = side - 2 * rim, threads = 512;

LAUNCH(512, 1, 104 - 16, 104 - 16, 2 * 104 * 104 * 4, 2 * 104 * 104 * 4)

// Gives pieces of the block's dynamic memory away, one behind the other.
class Arena {
    unsigned char *const memory_;
    unsigned used_ = 0;

public:
    __device__ explicit Arena(unsigned char *memory) : memory_(memory) {}

    template <class T>
    __device__ T *take(unsigned count)
    {
        const unsigned at = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        used_ = at + count * sizeof(T);
        return reinterpret_cast<T *>(memory_ + at);
    }
};

// Goes over rows [first, first + count) of the tile, row by row, `threads` elements at a time.
struct Walk {
    int r, c;

    __device__ explicit Walk(int first) : r(first + threadIdx.x / side), c(threadIdx.x % side) {}
    __device__ void operator++()
    {
        r += threads / side;
        c += threads % side;
        if (c >= side) {
            c -= side;
            ++r;
        }
    }
    __device__ int at() const { return r * side + c; }
};

__global__ void __launch_bounds__(threads) relax(float *out, const float *in, int rows, int cols)
{
    extern __shared__ __align__(16) unsigned char memory[];
    Arena arena(memory);
    float *now = arena.take<float>(side * side), *next = arena.take<float>(side * side);

    const int x0 = static_cast<int>(blockIdx.x) * kept - rim, y0 = static_cast<int>(blockIdx.y) * kept - rim;
    // Outside of the matrix? Then the number, seen as unsigned, is not below the limit.
    auto inside = [=](const Walk &w) {
        return static_cast<unsigned>(y0 + w.r) < static_cast<unsigned>(rows) && static_cast<unsigned>(x0 + w.c) < static_cast<unsigned>(cols);
    };
    auto place = [=](const Walk &w) { return static_cast<size_t>(y0 + w.r) * cols + (x0 + w.c); };

#pragma unroll 4
    for (Walk w(0); w.r < side; ++w)
        now[w.at()] = inside(w) ? in[place(w)] : 0.0f;
    __syncthreads();

    for (int step = 1; step <= 8; ++step) {
#pragma unroll 4
        for (Walk w(step); w.r < side - step; ++w) {
            // Columns of the rim get rubbish, made of what stands at the other end of the row next
            // to this one. It comes one column closer with each step, and never to what is kept.
            const float *p = now + w.at();
            const float mean = 0.25f * (p[-side] + p[side] + p[-1] + p[1]);
            next[w.at()] = inside(w) ? mean : 0.0f;
        }
        __syncthreads();
        float *const was = now;
        now = next, next = was;
    }

    for (Walk w(rim); w.r < side - rim; ++w)
        if (w.c >= rim && w.c < side - rim && inside(w))
            out[place(w)] = now[w.at()];
}
