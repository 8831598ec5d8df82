// One sum of a whole array: each thread takes many floats in strides of the whole grid, four at a time, and each block
// adds what it has with one atomic. out[0] must be 0 before.
__global__ void sum_all(float *out, const float *in, int n)
{
    __shared__ float part[32];
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t, threads = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (int i = at; i < n / 4; i += threads) {
        float4 q = ((const float4 *)in)[i];  // @load
        sum += (q.x + q.y) + (q.z + q.w);
    }
    if (at < n % 4)
        sum += in[n / 4 * 4 + at];

    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? part[t] : 0.0f;
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (t == 0)
            atomicAdd(out, sum);  // @atomic
    }
}
