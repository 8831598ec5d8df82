// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: the lanes of either half call the same sum, in branches of their own, and are in it together
LAUNCH(256, 1, 8, 1)

__device__ __noinline__ float warp_sum(float x)
{
    for (int s = 16; s; s >>= 1)
        x += __shfl_xor_sync(0xffffffffu, x, s);
    return x;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *from = in + (long long)row * cols;
    float sum = 0.0f, total;
    int i = lane * 4;
    for (; cols % 4 == 0 && i < cols; i += 128) {
        float4 q = *(const float4 *)(from + i);
        sum += (q.x + q.y) + (q.z + q.w);
    }
    for (i = lane; cols % 4 && i < cols; i += 32)
        sum += from[i];
    if (lane < 16) {
        total = warp_sum(sum);
        if (lane == 0)
            out[row] = total;
    } else {
        total = warp_sum(sum);
        if (total != total && lane == 31) // no number stays one
            out[row] = total;
    }
}
