// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: blocks of 160 threads with five rows, four sums a lane that do not wait for each other, the tree of shuffles unrolled by a recursive template
LAUNCH(160, 1, 5, 1)

template <int Distance>
__device__ __forceinline__ float down_the_tree(float sum)
{
    sum += __shfl_down_sync(0xffffffffu, sum, Distance);
    if constexpr (Distance > 1)
        return down_the_tree<Distance / 2>(sum);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * 5 + (threadIdx.x >> 5);
    if (row >= rows)
        return;  // a whole warp
    const float *from = in + (size_t)row * cols;

    float sums[4] = {0, 0, 0, 0};
    if (cols % 4) {
        int i = lane;
        for (; i + 96 < cols; i += 128) {
            sums[0] += from[i];
            sums[1] += from[i + 32];
            sums[2] += from[i + 64];
            sums[3] += from[i + 96];
        }
        for (; i < cols; i += 32)
            sums[0] += from[i];
    } else {
        const float4 *quads = reinterpret_cast<const float4 *>(from);
        const int count = cols / 4;
        int i = lane;
        for (; i + 96 < count; i += 128) {
            const float4 q0 = __ldcs(quads + i), q1 = __ldcs(quads + i + 32), q2 = __ldcs(quads + i + 64), q3 = __ldcs(quads + i + 96);
            sums[0] += q0.x + q0.y + q0.z + q0.w;
            sums[1] += q1.x + q1.y + q1.z + q1.w;
            sums[2] += q2.x + q2.y + q2.z + q2.w;
            sums[3] += q3.x + q3.y + q3.z + q3.w;
        }
        for (; i < count; i += 32) {
            const float4 q = __ldcs(quads + i);
            sums[0] += q.x + q.y + q.z + q.w;
        }
    }

    __syncwarp();  // the lanes have had one turn more or less
    const float sum = down_the_tree<16>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    if (lane == 0)
        out[row] = sum;
}
