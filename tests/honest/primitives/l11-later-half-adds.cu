// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: two warps share a row and whichever draws the later ticket from a shared atomicInc between fences adds both halves
LAUNCH(256, 1, 4, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float half_sum[8];
    __shared__ unsigned ticket[4];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = warp / 2, half = warp % 2;
    int row = blockIdx.x * 4 + pair;

    if (threadIdx.x < 4)
        ticket[threadIdx.x] = 0;
    __syncthreads();

    if (row >= rows)  // a whole warp, and no barrier follows
        return;
    float sum = 0.0f;
    const float *from = in + (long long)row * cols;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)from;
        for (int i = half * 32 + lane; i < cols / 4; i += 64) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = half * 32 + lane; i < cols; i += 64)
            sum += from[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(~0u, sum, s);

    if (lane == 0) {
        half_sum[warp] = sum;
        __threadfence_block();
        unsigned drawn = atomicInc(&ticket[pair], 1);
        __threadfence_block();
        if (drawn == 1)  // the other half is there
            out[row] = half_sum[pair * 2] + half_sum[pair * 2 + 1];
    }
}
