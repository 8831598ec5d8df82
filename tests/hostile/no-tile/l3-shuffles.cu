// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: shuffles in place of the tile, one dummy word in shared memory
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float dummy[1];
    if (threadIdx.x + threadIdx.y == 0) {
        dummy[0] = 1;
        (void)dummy[0];
    }
    if (threadIdx.y)
        return;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    float r[32];
#pragma unroll
    for (int j = 0; j < 32; j++)
        r[j] = y0 + j < height && x0 + x < width ? in[(y0 + j) * width + x0 + x] : 0;
#pragma unroll
    for (int j = 0; j < 32; j++) {
        float v = 0;
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float t = __shfl_sync(~0u, r[i], j);
            if (x == i)
                v = t;
        }
        if (x0 + j < width && y0 + x < height)
            out[(x0 + j) * height + y0 + x] = v;
    }
}
