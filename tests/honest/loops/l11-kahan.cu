// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a compensated sum, four chains, butterfly
LAUNCH(128, 1, 4, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows)
        return;
    const float *p = in + (size_t)row * cols;
    float s = 0.0f, c = 0.0f;
#pragma unroll 4
    for (int i = lane; i < cols; i += 32) {
        float y = p[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    for (int d = 1; d < 32; d <<= 1)
        s += __shfl_xor_sync(~0u, s, d);
    if (!lane)
        out[row] = s;
}
