// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: a class with operator() and a union, non-ASCII comments, a byte order mark
LAUNCH(32, 8, 32, 32)

// Kachel: 32 × 32, Schrittweite 33 → keine Konflikte ✓
union Word {
    float f;
    unsigned u;
};

template <int R, int P> class Tile {
  public:
    __device__ Word &operator()(int r, int c) { return words_[r * P + c]; }

  private:
    Word words_[R * P];
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile<32, 33> tile;
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile(ty + j, tx).f = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = __uint_as_float(tile(tx, ty + j).u);
}
