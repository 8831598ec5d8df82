// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a warp turns 32 x 32 floats round in registers, by five exchanges
LAUNCH(32, 4, 32, 128)
// A warp turns 32 x 32 floats round in registers, by five butterfly exchanges.
template <int BIT> __device__ inline void exchange(float (&r)[32], int lane)
{
#pragma unroll
    for (int i = 0; i < 32; i++)
        if ((i & BIT) == 0) {
            bool upper = lane & BIT;
            float give = upper ? r[i] : r[i | BIT];
            float got = __shfl_xor_sync(0xffffffffu, give, BIT);
            if (upper) r[i] = got; else r[i | BIT] = got;
        }
}
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int lane = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 128 + threadIdx.y * 32;
    float r[32];
#pragma unroll
    for (int i = 0; i < 32; i++)
        r[i] = y0 + i < height && x0 + lane < width ? in[(y0 + i) * width + x0 + lane] : 0.f;
    exchange<1>(r, lane); exchange<2>(r, lane); exchange<4>(r, lane); exchange<8>(r, lane); exchange<16>(r, lane);
#pragma unroll
    for (int i = 0; i < 32; i++)
        if (x0 + i < width && y0 + lane < height)
            out[(x0 + i) * height + y0 + lane] = r[i];
}
