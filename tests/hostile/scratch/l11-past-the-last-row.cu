// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: float4 over the end of a row, masked afterwards
LAUNCH(256, 1, 8, 1)
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows) return;
    size_t first = (size_t)row * cols, last = first + cols;
    float sum = 0;
    for (size_t q = first / 4 + lane; q * 4 < last; q += 32) {
        float4 f = ((const float4 *)in)[q];
        float v[4] = {f.x, f.y, f.z, f.w};
        for (int j = 0; j < 4; j++) if (q * 4 + j >= first && q * 4 + j < last) sum += v[j];
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) out[row] = sum;
}
