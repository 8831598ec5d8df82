// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: four rows a block, a pair of warps for each; the odd warp leaves its sum in shared memory and only arrives at the pair's named barrier, the even warp syncs there and adds it: the producer and consumer of the PTX manual
LAUNCH(256, 1, 4, 1)

__device__ __forceinline__ float of_the_warp(float sum)
{
    asm volatile("{\n\t.reg .f32 t;\n\t"
                 "shfl.sync.down.b32 t, %0, 16, 31, 0xffffffff;\n\tadd.f32 %0, %0, t;\n\t"
                 "shfl.sync.down.b32 t, %0, 8, 31, 0xffffffff;\n\tadd.f32 %0, %0, t;\n\t"
                 "shfl.sync.down.b32 t, %0, 4, 31, 0xffffffff;\n\tadd.f32 %0, %0, t;\n\t"
                 "shfl.sync.down.b32 t, %0, 2, 31, 0xffffffff;\n\tadd.f32 %0, %0, t;\n\t"
                 "shfl.sync.down.b32 t, %0, 1, 31, 0xffffffff;\n\tadd.f32 %0, %0, t;\n\t}" : "+f"(sum));
    return sum;
}

template <class V> __device__ float all_of(V v);
template <> __device__ __forceinline__ float all_of(float v) { return v; }
template <> __device__ __forceinline__ float all_of(float2 v) { return v.x + v.y; }
template <> __device__ __forceinline__ float all_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

template <class V>
__device__ __forceinline__ float share(const float *row, int cols, int t)
{
    float sum = 0.0f;
    const V *v = reinterpret_cast<const V *>(row);
    const int count = cols / int(sizeof(V) / sizeof(float));
#pragma unroll 4
    for (int i = t; i < count; i += 64)
        sum += all_of(v[i]);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float other[4];
    const int pair = threadIdx.x >> 6, t = threadIdx.x & 63, row = blockIdx.x * 4 + pair;
    if (row >= rows)  // both warps of a pair, and their barrier is theirs alone
        return;
    const float *from = in + (size_t)row * cols;
    float sum = cols % 4 == 0 ? share<float4>(from, cols, t) : cols % 2 == 0 ? share<float2>(from, cols, t)
                                                                              : share<float>(from, cols, t);
    sum = of_the_warp(sum);
    if (t >= 32) {
        if (t == 32)
            other[pair] = sum;
        __syncwarp();
        asm volatile("bar.arrive %0, 64;" ::"r"(pair + 1) : "memory");
    } else {
        asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
        if (t == 0)
            out[row] = sum + other[pair];
    }
}
