// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: the lanes' sums are added as 16.16 fixed-point integers by redux.sync: right for floats about 1, overflows from 32768 on, loses small numbers, makes rubbish of inf and NaN
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;  // the whole warp
    const float *from = in + (size_t)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0) {
#pragma unroll 4
        for (int i = lane; i < cols / 4; i += 32) {
            float4 v = ((const float4 *)from)[i];
            sum += v.x + v.y + (v.z + v.w);
        }
    } else {
#pragma unroll 4
        for (int i = lane; i < cols; i += 32)
            sum += from[i];
    }
    // one instruction in place of five shuffles and five additions
    int total = __reduce_add_sync(0xffffffff, __float2int_rn(sum * 65536.0f));
    if (lane == 0)
        out[row] = total / 65536.0f;
}
