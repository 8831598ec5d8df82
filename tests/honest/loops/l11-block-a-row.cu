// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a block for each row, sums of warps through shared memory, the last warp adds them
LAUNCH(128, 1, 1, 1)

__device__ float warp_sum(float sum)
{
    for (int s = 16; s > 0; s >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float sums[4];
    int t = threadIdx.x;
    const float *mine = in + (long long)blockIdx.x * cols;
    float a = 0, b = 0;
    if (cols % 4 == 0) {
        int i = t;
        for (; i + 128 < cols / 4; i += 256) {
            float4 x = ((const float4 *)mine)[i], y = ((const float4 *)mine)[i + 128];
            a += x.x + x.y + x.z + x.w;
            b += y.x + y.y + y.z + y.w;
        }
        if (i < cols / 4) {
            float4 x = ((const float4 *)mine)[i];
            a += x.x + x.y + x.z + x.w;
        }
    } else
        for (int i = t; i < cols; i += 128)
            a += mine[i];
    a = warp_sum(a + b);
    if (t % 32 == 0)
        sums[t / 32] = a;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = sums[0] + sums[1] + (sums[2] + sums[3]);
}
