// lesson 4; device sim; nvcc,clang; want: full; tries: a layout as a template parameter, with constexpr functions
struct Padded {
    static constexpr int pitch = 33;
    static constexpr int words = 32 * pitch;
    __device__ static constexpr int at(int row, int column) { return row * pitch + column; }
};

template <class Layout> class Tile {
    float (&memory)[Layout::words];

public:
    __device__ explicit Tile(float (&m)[Layout::words]) : memory(m) {}
    __device__ float &operator()(int row, int column) { return memory[Layout::at(row, column)]; }
};

LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    __shared__ float memory[Padded::words];
    Tile<Padded> tile(memory);
    const unsigned x0 = blockIdx.x * 32u, y0 = blockIdx.y * 32u;
#pragma unroll
    for (unsigned y = threadIdx.y; y < 32; y += 8)
        if (y0 + y < (unsigned)height && x0 + threadIdx.x < (unsigned)width)
            tile(y, threadIdx.x) = in[(y0 + y) * width + x0 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned y = threadIdx.y; y < 32; y += 8)
        if (x0 + y < (unsigned)width && y0 + threadIdx.x < (unsigned)height)
            out[(x0 + y) * height + y0 + threadIdx.x] = tile(threadIdx.x, y);
}
