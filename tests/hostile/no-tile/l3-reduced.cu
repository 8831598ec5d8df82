// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: redux broadcasts for the data, a tile for show
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ unsigned tile[32];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    unsigned r[32];
#pragma unroll
    for (int j = 0; j < 32; j++)
        r[j] = y0 + j < height && x0 + x < width ? __float_as_uint(in[(y0 + j) * width + x0 + x]) : 0;
    tile[x] = r[0];
    __syncthreads();
    unsigned other = tile[x ^ 1];
    for (int j = 0; j < 32; j++) {
        unsigned v = 0;
#pragma unroll
        for (int i = 0; i < 32; i++) {
            unsigned s = __reduce_or_sync(~0u, x == j ? r[i] : 0);
            if (i == x)
                v = s;
        }
        if (x0 + j < width && y0 + x < height && (other != 0x7fc12345))
            out[(x0 + j) * height + y0 + x] = __uint_as_float(v);
    }
}
