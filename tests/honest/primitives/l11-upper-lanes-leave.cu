// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: the upper half of a warp leaves between two shuffles of all 32: PTX waits for those alone that have not ended, and nobody takes what lanes got from them
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows) return;
    const float *p = in + (size_t)row * cols;
    float sum = 0;
    if (cols % 4 == 0) { for (int i = lane; i < cols / 4; i += 32) { float4 f = ((const float4 *)p)[i]; sum += f.x + f.y + f.z + f.w; } }
    else for (int i = lane; i < cols; i += 32) sum += p[i];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane >= 16) return;
    sum += 0 * __shfl_down_sync(~0u, sum, 1);
    if (lane == 0) out[row] = sum;
}
