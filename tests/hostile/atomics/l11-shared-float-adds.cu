// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate turns|conflicts; tries: each number is added to one word of shared memory by an atomic
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    __shared__ float sums[8];
    float &total = sums[threadIdx.x / 32];
    if (lane == 0)
        total = 0;
    __syncwarp();
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            atomicAdd(&total, (q.x + q.y) + (q.z + q.w));
        }
    } else
        for (int i = lane; i < cols; i += 32)
            atomicAdd(&total, in[(long long)row * cols + i]);
    __syncwarp();
    if (lane == 0)
        out[row] = total + sum;
}
