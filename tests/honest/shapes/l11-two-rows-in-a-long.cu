// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp sums two rows at once; both sums travel in one 64-bit shuffle, packed by asm
LAUNCH(128, 1, 8, 1)

__device__ __forceinline__ unsigned long long pack(float x, float y)
{
    unsigned long long both;
    asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "f"(x), "f"(y));
    return both;
}

__device__ __forceinline__ float2 unpack(unsigned long long both)
{
    float2 two;
    asm("mov.b64 {%0, %1}, %2;" : "=f"(two.x), "=f"(two.y) : "l"(both));
    return two;
}

__device__ __forceinline__ float across(float4 q) { return (q.x + q.z) + (q.y + q.w); }

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5) * 2;
    if (row >= rows)
        return;
    bool second = row + 1 < rows;
    const float *x = in + (size_t)row * cols, *y = second ? x + cols : x;

    float2 sum = {};
    if ((cols & 3) == 0) {
#pragma unroll 4
        for (int i = lane; i < cols >> 2; i += 32) {
            float4 one = ((const float4 *)x)[i];
            sum.x += across(one);
            if (second)
                sum.y += across(((const float4 *)y)[i]);
        }
    } else
        for (int i = lane; i < cols; i += 32) {
            sum.x += x[i];
            if (second)
                sum.y += y[i];
        }

#pragma unroll
    for (int bit = 1; bit < 32; bit <<= 1) {
        float2 other = unpack(__shfl_xor_sync(0xffffffffu, pack(sum.x, sum.y), bit));
        sum.x += other.x;
        sum.y += other.y;
    }
    if (lane < (second ? 2 : 1))
        out[row + lane] = lane ? sum.y : sum.x;
}
