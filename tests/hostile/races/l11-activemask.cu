// lesson 11; device sim; nvcc,clang; want: fail|timeout; tries: shuffles take __activemask() behind a lane-dependent branch: lanes need not have converged there, and where they have not, sums of the others are lost
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    if (cols % 128 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else {
        const float *from = in + (long long)row * cols;
        int whole = cols / 32;
        for (int i = 0; i < whole; i++)
            sum += from[i * 32 + lane];
        if (lane < cols % 32)  // what is left over
            sum += from[whole * 32 + lane];
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(__activemask(), sum, s);  // whoever is here takes part
    if (lane == 0)
        out[row] = sum;
}
