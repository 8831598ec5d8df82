// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: cooperative groups and one class of matrix views with two strides: transposing is swapping them; 16 x 16 threads
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

LAUNCH(16, 16, 32, 32)

template <typename T>
class View {
public:
    __device__ View(T *first, int rows, int columns, long long down, long long right)
        : first_(first), rows_(rows), columns_(columns), down_(down), right_(right)
    {
    }
    __device__ bool has(int r, int c) const { return r < rows_ && c < columns_; }
    __device__ T &operator()(int r, int c) const { return first_[r * down_ + c * right_]; }
    __device__ View turned() const { return View(first_, columns_, rows_, right_, down_); }
    // What lies from (r, c) on, at most 32 x 32 of it; may be empty.
    __device__ View window(int r, int c) const
    {
        return View(first_ + r * down_ + c * right_, min(32, rows_ - r), min(32, columns_ - c), down_, right_);
    }

private:
    T *first_;
    int rows_, columns_;
    long long down_, right_;
};

// Four elements a thread, one of each quarter; threadIdx.x along the rows of `where`.
template <typename To, typename From>
__device__ void move(const cg::thread_block &block, const View<To> &to, const View<From> &from)
{
    const dim3 me = block.thread_index();
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
        const int r = me.y + (quarter & 2) * 8, c = me.x + (quarter & 1) * 16;
        if (from.has(r, c) && to.has(r, c))
            to(r, c) = from(r, c);
    }
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float memory[32 * 32];

    const cg::thread_block block = cg::this_thread_block();
    const int x0 = block.group_index().x * 32, y0 = block.group_index().y * 32;

    const View<const float> source = View<const float>(in, height, width, width, 1).window(y0, x0);
    const View<float> target = View<float>(out, width, height, height, 1).window(x0, y0);
    const View<float> tile(memory, 32, 32, 32, 1);

    move(block, tile, source);
    block.sync();
    move(block, target, tile.turned());
}
