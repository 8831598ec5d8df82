// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a block of 64 x 4 threads for 32 columns and 64 rows: threadIdx.x runs down the rows of in, that is along out, and the columns are counted downwards with 64-bit indices; each warp writes 32 neighbours, right
LAUNCH(64, 4, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const long long w = width, h = height;
    const long long r = (long long)blockIdx.y * 64 + threadIdx.x;
    const long long c0 = (long long)blockIdx.x * 32 + threadIdx.y;
    if (r >= h || c0 >= w)
        return;
    // first the last of my eight columns, then back to the first
    for (long long j = 7; j >= 0; --j) {
        long long c = c0 + j * 4;
        if (c >= w)
            continue;
        float value = in[r * w + c];
        out[c * h + r] = value;
    }
}
