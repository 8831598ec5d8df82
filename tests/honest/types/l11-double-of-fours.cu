// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: pairs, a double for the sum, a butterfly
LAUNCH(256, 1, 8, 1)
template <class T> __device__ T all(T v)
{
#pragma unroll
    for (int b = 1; b < 32; b <<= 1) v += __shfl_xor_sync(0xffffffffu, v, b);
    return v;
}
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows) return;
    const float *p = in + row * (long long)cols;
    double sum = 0;
    if (cols % 4 == 0) {
        for (const float4 *q = (const float4 *)p + lane, *e = (const float4 *)(p + cols); q < e; q += 32)
            sum += (double)(q->x + q->y) + (double)(q->z + q->w);
    } else
        for (int i = lane; i < cols; i += 32) sum += p[i];
    sum = all(sum);
    if (!lane) *(out + row) = (float)sum;
}
