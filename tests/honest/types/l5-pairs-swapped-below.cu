// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: 8 bytes in, 4 bytes out: pairs of columns are XORed with r % 16, and swapped in rows 16 to 31
LAUNCH(16, 8, 32, 32)

// Row r keeps columns 2 p and 2 p + 1 in the pair p ^ r % 16. That gives a column 16 places; the other
// bit of r decides which of the pair comes first, and makes them 32.
__device__ __forceinline__ int word(int r, int c)
{
    return r * 32 + 2 * ((c >> 1) ^ (r & 15)) + ((c ^ r >> 4) & 1);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float2 tile[32 * 16];

    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int pair = threadIdx.x, x = x0 + 2 * pair;
    bool aligned = width % 2 == 0;
    float2 two[4] = {};
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int y = y0 + threadIdx.y + 8 * j;
        const float *from = in + y * width + x;
        if (y < height && x < width) {
            if (aligned)
                two[j] = *(const float2 *)from;
            else {
                two[j].x = from[0];
                if (x + 1 < width)
                    two[j].y = from[1];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = threadIdx.y + 8 * j;
        float2 t = two[j];
        tile[word(r, 2 * pair) >> 1] = j < 2 ? t : make_float2(t.y, t.x);  // rows from 16 on: swapped
    }
    __syncthreads();

    int id = threadIdx.y * 16 + threadIdx.x, lane = id % 32;
    const float *words = reinterpret_cast<const float *>(tile);
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int c = id / 32 + 4 * j;
        if (x0 + c < width && y0 + lane < height)
            out[(x0 + c) * height + y0 + lane] = words[word(lane, c)];
    }
}
