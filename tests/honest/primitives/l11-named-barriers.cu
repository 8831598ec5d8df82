// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: four warps for each row, two rows a block, a named barrier (bar.sync 1, 128 and bar.sync 2, 128) for each row's warps, recursive butterfly
LAUNCH(256, 1, 2, 1)

// After this all 2 * DISTANCE lanes of a run have the sum.
template <int DISTANCE>
__device__ __forceinline__ float butterfly(float x)
{
    x += __shfl_xor_sync(0xffffffffu, x, DISTANCE);
    if constexpr (DISTANCE > 1)
        return butterfly<DISTANCE / 2>(x);
    else
        return x;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float4 part[2];  // a word for each of a row's four warps

    const int team = threadIdx.x / 128, t = threadIdx.x % 128;
    const int row = blockIdx.x * 2 + team;
    if (row >= rows)
        return;  // all 128, and the other team has a barrier of its own

    const float *first = in + (long long)row * cols;
    float sum = 0.0f;
    if ((cols & 3) == 0) {
        const float4 *quads = (const float4 *)first;
#pragma unroll 2
        for (int i = t, left = cols / 4 - t; left > 0; left -= 128, i += 128) {
            const float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = t; i < cols; i += 128)
            sum += first[i];

    sum = butterfly<16>(sum);
    if (t % 32 == 0)
        reinterpret_cast<float *>(&part[team])[t / 32] = sum;
    if (team == 0)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    else
        asm volatile("bar.sync 2, 128;" ::: "memory");

    if (t == 0) {
        const float4 all = part[team];
        out[row] = (all.x + all.y) + (all.z + all.w);
    }
}
