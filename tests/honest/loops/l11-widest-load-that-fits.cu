// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: one template loop for float4, float2 and float, the widest whose size divides a row; a warp a row, 32 x 8 threads, lanes without numbers bring 0 to five shuffles; 64-bit indices; right for all rows and cols
LAUNCH(32, 8, 8, 1)

__device__ __forceinline__ float total(float v) { return v; }
__device__ __forceinline__ float total(float2 v) { return v.x + v.y; }
__device__ __forceinline__ float total(float4 v) { return (v.x + v.y) + (v.z + v.w); }

template <class V> __device__ float lane_sum(const float *row, long long cols)
{
    constexpr int wide = sizeof(V) / sizeof(float);
    float sum = 0.0f;
    for (long long i = threadIdx.x; i < cols / wide; i += 32)
        sum += total(reinterpret_cast<const V *>(row)[i]);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const long long r = blockIdx.x * 8ll + threadIdx.y;
    if (r >= rows)
        return;  // the whole warp
    const float *row = in + r * cols;
    float sum;
    switch (cols & 3) {
    case 0: sum = lane_sum<float4>(row, cols); break;
    case 2: sum = lane_sum<float2>(row, cols); break;
    default: sum = lane_sum<float>(row, cols);
    }
    for (int s = 1; s < 32; s <<= 1)
        sum += __shfl_xor_sync(~0u, sum, s);
    if (threadIdx.x == 0)
        out[r] = sum;
}
