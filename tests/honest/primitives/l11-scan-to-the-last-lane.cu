// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: an inclusive scan of the lanes' sums, upwards; the last lane has the row
LAUNCH(256, 1, 8, 1)

// Lane l gets the sum of lanes 0 to l.
__device__ float inclusive_scan(float value, unsigned lane)
{
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance <<= 1) {
        const float below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance)
            value += below;
    }
    return value;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const unsigned lane = threadIdx.x & 31u;
    const unsigned row = blockIdx.x * 8u + (threadIdx.x >> 5);
    if (row >= (unsigned)rows)
        return;

    const float *const begin = in + (unsigned long long)row * (unsigned)cols;
    const float *const end = begin + cols;
    float even = 0.0f, odd = 0.0f;

    if ((cols & 3) == 0) {
        for (const float *p = begin + 4 * lane; p < end; p += 128) {
            const float4 four = __ldg(reinterpret_cast<const float4 *>(p));
            even += four.x + four.z;
            odd += four.y + four.w;
        }
    } else if ((cols & 1) == 0) {
        for (const float *p = begin + 2 * lane; p < end; p += 64) {
            const float2 two = __ldg(reinterpret_cast<const float2 *>(p));
            even += two.x;
            odd += two.y;
        }
    } else {
        for (const float *p = begin + lane; p < end; p += 32)
            even += __ldg(p);
    }

    const float sum = inclusive_scan(even + odd, lane);
    if (lane == 31)
        out[row] = sum;
}
