// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: tile[r][c] reads like an array: operator[] gives a row that knows its key
LAUNCH(32, 4, 32, 32)

class SwizzledTile {
    float words[32 * 32];

public:
    class Row {
        float *first;
        unsigned key;

    public:
        __device__ Row(float *p, unsigned k) : first(p), key(k) {}
        __device__ float &operator[](unsigned column) const { return first[column ^ key]; }
    };

    __device__ Row operator[](unsigned row) { return Row(words + row * 32, row); }
};

__global__ void __launch_bounds__(128) transpose(float *out, const float *in, int width, int height)
{
    __shared__ SwizzledTile tile;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (int j = 0; j < 8; j++) {
        const int r = ty + 4 * j;
        if (top + r < height && left + tx < width)
            tile[r][tx] = in[(top + r) * width + left + tx];
    }

    __syncthreads();

    SwizzledTile::Row mine = tile[tx];  // a thread reads from one row alone
#pragma unroll
    for (int j = 0; j < 8; j++) {
        const int c = ty + 4 * j;
        if (left + c < width && top + tx < height)
            out[(left + c) * height + top + tx] = mine[c];
    }
}
