// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: 96 x 8 threads, a line of 96 (three whole warps) for each row, quads where rows begin at 16 bytes; xor shuffles, three partial sums through shared memory and one barrier that every thread passes
LAUNCH(96, 8, 8, 1)

template <int Distance>
__device__ __forceinline__ float butterfly(float x)
{
    if constexpr (Distance == 0)
        return x;
    else
        return butterfly<Distance / 2>(x + __shfl_xor_sync(0xffffffffu, x, Distance));
}

__global__ void __launch_bounds__(768) row_sums(float *out, const float *__restrict__ in, int rows, int cols)
{
    __shared__ float part[8][3];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * 8 + y;

    float sum = 0.0f;
    if (row < rows) {
        const float *const from = in + (size_t)row * cols;
        if ((cols & 3) == 0) {
            float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            const float4 *q = reinterpret_cast<const float4 *>(from), *const end = q + (cols >> 2);
#pragma unroll 3
            for (int i = x; i < end - q; i += 96) {
                const float4 v = __ldcs(q + i);
                acc.x += v.x, acc.y += v.y, acc.z += v.z, acc.w += v.w;
            }
            sum = (acc.x + acc.y) + (acc.z + acc.w);
        } else
            for (int i = x; i < cols; i += 96)
                sum += __ldg(from + i);
    }
    sum = butterfly<16>(sum);
    if ((x & 31) == 0)
        part[y][x >> 5] = sum;
    __syncthreads();
    if (x == 0 && row < rows)
        out[row] = part[y][0] + part[y][1] + part[y][2];
}
