// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: 8 x 32 threads, eight lanes sum a row and a warp four rows; float4 where rows are multiples of 16 bytes, two sums each, then three xor shuffles that all 32 lanes reach, those without a row with 0; right for all rows and cols
LAUNCH(8, 32, 32, 1)

struct Partial { float even, odd; };

__device__ Partial mine(const float *row, long long cols, int lane)
{
    Partial p = {0.0f, 0.0f};
    if (cols % 4 == 0) {
        const float4 *quads = reinterpret_cast<const float4 *>(row);
        const long long count = cols / 4;
#pragma unroll 4
        for (long long i = lane; i < count; i += 8) {
            const float4 q = quads[i];
            p.even += q.x + q.z;
            p.odd += q.y + q.w;
        }
    } else
        for (long long i = lane; i < cols; i += 8)
            p.even += row[i];
    return p;
}

__global__ void __launch_bounds__(256) row_sums(float *out, const float *in, int rows, int cols)
{
    const long long row = blockIdx.x * 32ll + threadIdx.y;
    Partial p = {0.0f, 0.0f};
    if (row < rows)
        p = mine(in + row * cols, cols, threadIdx.x);
    float sum = p.even + p.odd;
    sum += __shfl_xor_sync(0xffffffffu, sum, 4);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (threadIdx.x == 0 && row < rows)
        out[row] = sum;
}
