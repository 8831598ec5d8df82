// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: one-dimensional block of 512, tile stored transposed (conflicts on the way in), bar.sync with a number, volatile tile
LAUNCH(512, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float tile[1024];

    const int t = threadIdx.x, low = t & 31, high = t >> 5;  // high: 0 .. 15
    int gx = (blockIdx.x << 5) + low, gy = (blockIdx.y << 5) + high;
    int pass = 2;
    do {
        if (gx < width && gy < height)
            tile[low * 32 + (gy & 31)] = in[(long)gy * width + gx];
        gy += 16;
    } while (--pass);

    // All 512 threads meet at barrier 5.
    asm volatile("bar.sync 5, 512;" ::: "memory");

    int ox = (blockIdx.y << 5) + low, oy = (blockIdx.x << 5) + high;
    pass = 2;
    do {
        if (ox < height && oy < width)
            out[(long)oy * height + ox] = tile[((oy & 31) << 5) + low];
        oy += 16;
    } while (--pass);
}
