// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: shuffles; the tile only holds what its own thread put there
LAUNCH(32, 1, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int lane = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    float v[32];
#pragma unroll
    for (int r = 0; r < 32; r++)
        v[r] = y0 + r < height && x0 + lane < width ? in[(y0 + r) * width + x0 + lane] : 0.0f;
#pragma unroll
    for (int s = 16; s > 0; s /= 2)
#pragma unroll
        for (int r = 0; r < 32; r++)
            if (!(r & s)) {
                bool up = lane & s;
                float give = up ? v[r] : v[r | s];
                float got = __shfl_xor_sync(~0u, give, s);
                if (up) v[r] = got; else v[r | s] = got;
            }
#pragma unroll
    for (int r = 0; r < 32; r++) {
        ((volatile float (*)[32])tile)[r][lane] = v[r];
        __syncwarp();
        float w = ((volatile float (*)[32])tile)[r][lane];
        if (x0 + r < width && y0 + lane < height)
            out[(x0 + r) * height + y0 + lane] = w;
    }
}
