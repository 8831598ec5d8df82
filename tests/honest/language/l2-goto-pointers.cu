// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 32 x 4 threads, pointers, goto and a countdown
LAUNCH(32, 4, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    const int r = (blockIdx.y << 5) | threadIdx.x;
    int c = (blockIdx.x << 5) | threadIdx.y;
    const float *p = in + (size_t)r * width + c;
    float *q = out + (size_t)c * height + r;
    int left = 8;
    if (r >= height) goto done;
again:
    if (c >= width) goto done;
    *q = *p;
    p += 4; q += 4 * height; c += 4;
    if (--left) goto again;
done:
    return;
}
