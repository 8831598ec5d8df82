// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: sums are kept as 32-bit integers in units of 2^-18, so a row whose sum (or one element) is 8192 or more in size comes out wrong, e.g. rows = 1, cols = 1, in[0] = 10000.0f, or 20000 floats of 0.5f.
LAUNCH(256, 1, 8, 1)

// Integers add up to the same sum in any order.
__device__ int fixed(float x)
{
    return __float2int_rn(x * 262144.0f);
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    int sum = 0;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += fixed(q.x) + fixed(q.y) + fixed(q.z) + fixed(q.w);
        }
    } else
        for (int i = lane; i < cols; i += 32)
            sum += fixed(in[(long long)row * cols + i]);
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum / 262144.0f;
}
