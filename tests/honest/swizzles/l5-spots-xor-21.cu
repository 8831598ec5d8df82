// lesson 5; device sim; nvcc,clang; want: full; tries: a helper returns a struct with the place of (r, c): row r, column c ^ r ^ 21, which is one to one both in c and in r; 64 x 4 threads, 64-bit indices, early return behind the barrier; right and without conflicts
LAUNCH(64, 4, 32, 32)

struct Spot { unsigned row, column; };
struct Cell { float value; };

__device__ Spot spot(unsigned r, unsigned c)
{
    Spot s;
    s.row = r;
    s.column = (c ^ r ^ 21u) & 31u;
    return s;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Cell tile[32][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.y * 2 + threadIdx.x / 32;
    const long long w = width, h = height, x0 = blockIdx.x * 32ll, y0 = blockIdx.y * 32ll;

    for (unsigned r = warp; r < 32; r += 8) {
        Spot s = spot(r, lane);
        if (y0 + r < h && x0 + lane < w)
            tile[s.row][s.column].value = in[(y0 + r) * w + x0 + lane];
    }
    __syncthreads();
    if (y0 + lane >= h)
        return;
    for (unsigned c = warp; c < 32; c += 8) {
        if (x0 + c >= w)
            break;
        Spot s = spot(lane, c);
        out[(x0 + c) * h + y0 + lane] = tile[s.row][s.column].value;
    }
}
