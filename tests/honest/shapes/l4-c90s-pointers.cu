// lesson 4; device sim; nvcc,clang; want: full; tries: a C programmer of the 90s: flat array, walking pointers, post-increments, no index in sight, 256 threads in one dimension
LAUNCH(256, 1, 32, 32)

#define TILE  32
#define PITCH (TILE + 1)
#define STEP  8   /* rows that 256 threads cover at once */

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float buf[TILE * PITCH];
    int lane, strip, x, y, n;
    const float *src;
    float *dst, *p;

    lane = threadIdx.x & (TILE - 1);
    strip = threadIdx.x / TILE;

    x = blockIdx.x * TILE + lane;
    y = blockIdx.y * TILE + strip;
    src = in + (long)y * width + x;
    p = buf + strip * PITCH + lane;
    if (x < width)
        for (n = TILE / STEP; n-- && y < height; y += STEP, src += (long)STEP * width, p += STEP * PITCH)
            *p = *src;

    __syncthreads();

    x = blockIdx.y * TILE + lane;
    y = blockIdx.x * TILE + strip;
    dst = out + (long)y * height + x;
    p = buf + lane * PITCH + strip;
    if (x < height)
        for (n = TILE / STEP; n-- && y < width; y += STEP, dst += (long)STEP * height, p += STEP)
            *dst = *p;
}
