// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: lanes halve what they hold in each step of a sum
LAUNCH(64, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row0 = (blockIdx.x * 2 + (threadIdx.x >> 5)) * 4;
    if (row0 >= rows)
        return;  // a whole warp
    const float *at = in + (size_t)row0 * cols;
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    if (cols % 4 == 0) {
        const int quads = cols / 4;
        for (int i = lane; i < quads; i += 32) {
#pragma unroll
            for (int r = 0; r < 4; r++)
                if (row0 + r < rows) {
                    float4 v = ((const float4 *)at)[(size_t)r * quads + i];
                    s[r] += (v.x + v.y) + (v.z + v.w);
                }
        }
    } else {
        for (int i = lane; i < cols; i += 32) {
#pragma unroll
            for (int r = 0; r < 4; r++)
                if (row0 + r < rows)
                    s[r] += at[(size_t)r * cols + i];
        }
    }

    // The upper half of the warp goes on with rows 2 and 3, the lower with 0 and 1.
    const bool upper = lane & 16, right = lane & 8;
    float keep0 = upper ? s[2] : s[0], keep1 = upper ? s[3] : s[1];
    keep0 += __shfl_xor_sync(0xffffffffu, upper ? s[0] : s[2], 16);
    keep1 += __shfl_xor_sync(0xffffffffu, upper ? s[1] : s[3], 16);
    // Then each quarter with one row: row lane / 8.
    float sum = (right ? keep1 : keep0) + __shfl_xor_sync(0xffffffffu, right ? keep0 : keep1, 8);
    sum += __shfl_xor_sync(0xffffffffu, sum, 4);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);

    if (lane % 8 == 0 && row0 + lane / 8 < rows)
        out[row0 + lane / 8] = sum;
}
