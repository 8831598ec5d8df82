// lesson 4; device sim,gpu; nvcc,clang; want: pass; tries: the loop is a recursive template; tile by reference to array
LAUNCH(32, 8, 32, 32)

using tile_t = float[32][33];

template <int J> struct Unroll {
    template <typename F> static __device__ __forceinline__ void run(F f)
    {
        Unroll<J - 1>::run(f);
        f((J - 1) * 8);
    }
};
template <> struct Unroll<0> {
    template <typename F> static __device__ __forceinline__ void run(F) {}
};

__device__ inline void put(tile_t &tile, int r, int c, float v) { tile[r][c] = v; }
__device__ inline float get(const tile_t &tile, int r, int c) { return tile[r][c]; }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ tile_t tile;
    unsigned tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x << 5, y0 = blockIdx.y << 5;
    Unroll<4>::run([&](unsigned j) {
        if (y0 + ty + j < (unsigned)height && x0 + tx < (unsigned)width)
            put(tile, ty + j, tx, in[(y0 + ty + j) * width + x0 + tx]);
    });
    __syncthreads();
    Unroll<4>::run([&](unsigned j) {
        if (x0 + ty + j < (unsigned)width && y0 + tx < (unsigned)height)
            out[(x0 + ty + j) * height + y0 + tx] = get(tile, tx, ty + j);
    });
}
