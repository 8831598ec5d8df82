// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: warps specialise by a switch: each of eight has its own rows going in and columns going out; the tile is a 2-D array of one-float structs in 8 x 4 groups whose place is column ^ (row with its two halves exchanged), one to one in both; 32 x 8 threads, one barrier, right
LAUNCH(32, 8, 32, 32)

struct Element { float value; };

// Bits 4 3 2 1 0 of a row become 1 0 4 3 2: again all numbers from 0 to 31.
template <int Bits> __device__ constexpr int turned(int r) { return (r >> Bits | r << (5 - Bits)) & 31; }

template <int J, class F> __device__ __forceinline__ void four_times(F f)
{
    if constexpr (J < 4) {
        f(J);
        four_times<J + 1>(f);
    }
}

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    __shared__ Element tile[32][32];
    const int lane = threadIdx.x;
    int first;
    switch (threadIdx.y) {
    case 0: first = 0; break;
    case 1: first = 4; break;
    case 2: first = 8; break;
    case 3: first = 12; break;
    case 4: first = 16; break;
    case 5: first = 20; break;
    case 6: first = 24; break;
    default: first = 28; break;
    }

    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    four_times<0>([&](int j) {
        const int r = first + j;
        if (y + r < height && x + lane < width)
            tile[r][lane ^ turned<2>(r)].value = __ldg(&in[(y + r) * width + x + lane]);
    });
    __syncthreads();
    four_times<0>([&](int j) {
        const int c = first + j;
        if (x + c < width && y + lane < height)
            out[(x + c) * height + y + lane] = tile[lane][c ^ turned<2>(lane)].value;
    });
}
