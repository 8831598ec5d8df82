// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: sums of rows meet in a place behind an array
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    __shared__ short half[5];
    __shared__ __align__(32) float lanes[256];
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = lane; i < cols; i += 32)
            sum += in[(long long)row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    lanes[threadIdx.x] = sum;
    half[threadIdx.x / 32 % 5] = 0;
    volatile float *spare = (volatile float *)(half + 6) + 0;
    if (threadIdx.x == 0)
        *spare = lanes[0];
    if (lane == 0)
        out[row] = threadIdx.x == 0 ? *spare : lanes[threadIdx.x];
}
