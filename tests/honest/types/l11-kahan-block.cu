// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a block of 128 threads a row, float2 loads with Kahan-compensated partial sums, four warp sums handed over as one float4
LAUNCH(128, 1, 1, 1)

struct Kahan {
    float sum = 0.0f, lost = 0.0f;
    __device__ void add(float x)
    {
        const float y = x - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
};

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ __align__(16) float part[4];
    const unsigned t = threadIdx.x, row = blockIdx.x;
    const float *from = in + (size_t)row * cols;

    Kahan k;
    if (cols % 2 == 0) {
        for (int i = t; i < cols / 2; i += 128) {
            const float2 two = reinterpret_cast<const float2 *>(from)[i];
            k.add(two.x);
            k.add(two.y);
        }
    } else
        for (int i = t; i < cols; i += 128)
            k.add(from[i]);

    float sum = k.sum - k.lost;
#pragma unroll
    for (int s = 16; s; s >>= 1)
        sum += __shfl_down_sync(~0u, sum, s);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t == 0) {
        const float4 all = *reinterpret_cast<const float4 *>(part);
        out[row] = (all.x + all.y) + (all.z + all.w);
    }
}
