// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the tile is an object with members, made by placement new in raw shared bytes; pointers to members
LAUNCH(32, 16, 32, 32)

using size_type = decltype(sizeof 0);

struct Place {
    int x, y;
};

class Tile
{
  public:
    __device__ static void *operator new(size_type, void *where) { return where; }
    __device__ static void operator delete(void *, void *) {}
    __device__ Tile(int x, int y) : corner{x, y} {}

    // Where the tile lies in `in`: (X, Y) = (x, y). In out its axes have changed places.
    template <int Place::*X, int Place::*Y>
    __device__ Place place(int column, int row) const
    {
        return {corner.*X + column, corner.*Y + row};
    }

    float cells[32][33];

  private:
    Place corner;
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) unsigned char raw[sizeof(Tile)];
    Tile *tile = reinterpret_cast<Tile *>(raw);

    // One thread makes it. Nobody looks at its members before that.
    if (threadIdx.x == 0 && threadIdx.y == 0)
        tile = new (raw) Tile(blockIdx.x * 32, blockIdx.y * 32);
    __syncthreads();

    for (int j = threadIdx.y; j < 32; j += 16) {
        Place at = tile->place<&Place::x, &Place::y>(threadIdx.x, j);
        if (at.x < width && at.y < height)
            tile->cells[j][threadIdx.x] = in[at.y * width + at.x];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 16) {
        Place at = tile->place<&Place::y, &Place::x>(threadIdx.x, j);
        if (at.x < height && at.y < width)
            out[at.y * height + at.x] = tile->cells[threadIdx.x][j];
    }
}
