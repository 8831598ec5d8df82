// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: thread 0 clears the block's total and its counter by exchanges, and nothing makes the other warps come behind that: a sum that is added first is wiped out, or the counter never comes to the last; that all accesses are atomic orders nothing; all sizes
// 11 reduction: shuffles in the warp, one addition for each warp, and who adds last writes. No barrier at all.
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float total;
    __shared__ unsigned arrived;
    int t = threadIdx.x, lane = t % 32, row = blockIdx.x;

    // Atomics all the way: nobody sees half of anything.
    if (t == 0) {
        atomicExch(&total, 0.0f);
        atomicExch(&arrived, 0u);
    }

    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = t; i < cols; i += 256)
            sum += in[(long long)row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);

    if (lane == 0) {
        atomicAdd(&total, sum);
        __threadfence_block();
        if (atomicAdd(&arrived, 1u) == 7) {
            __threadfence_block();
            out[row] = atomicAdd(&total, 0.0f);
        }
    }
}
