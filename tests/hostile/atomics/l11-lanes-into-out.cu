// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate turns; tries: each lane adds its sum to out by an atomic; no tree at all
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
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
    if (lane == 0)
        out[row] = 0;
    __threadfence();
    __syncwarp();
    atomicAdd(&out[row], sum);
}
