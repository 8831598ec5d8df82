// lesson 11; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: adds nothing in registers first: each single float goes through two whole butterflies of doubles (20 shuffles at 32 lanes a clock), over 2 times slower than the solution and against the lesson's rule.
LAUNCH(256, 1, 8, 1)

__device__ __forceinline__ double all_lanes(float x)
{
    double up = x, down = x;
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) {
        up += __shfl_xor_sync(~0u, up, bit);
        down += __shfl_xor_sync(~0u, down, 16 / bit);
    }
    return 0.5 * (up + down);
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *from = in + row * (size_t)cols;
    double sum = 0;
    if (cols % 4 == 0) {
        for (int i = 0; i < cols / 4; i += 32) {
            float4 four = i + lane < cols / 4 ? ((const float4 *)from)[i + lane] : make_float4(0, 0, 0, 0);
            sum += all_lanes(four.x);
            sum += all_lanes(four.y);
            sum += all_lanes(four.z);
            sum += all_lanes(four.w);
        }
    } else
        for (int i = 0; i < cols; i += 32)
            sum += all_lanes(i + lane < cols ? from[i + lane] : 0.0f);
    if (lane == 0)
        out[row] = sum;
}
