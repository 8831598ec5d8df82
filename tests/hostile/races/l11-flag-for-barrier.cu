// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cheat: in place of the second barrier warp 0 spins on flags that the other warps set, without any fence or atomic between the plain store of part[w] and the flag, so for any row with cols > 32 warp 0 may read part[w] before it is there (a data race).
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[8];
    __shared__ volatile int ready[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, row = blockIdx.x;

    if (t < 8)
        ready[t] = 0;
    __syncthreads();

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
        part[warp] = sum;
        ready[warp] = 1;
    }
    if (warp == 0) {
        float other = 0.0f;
        if (lane < 8) {
            while (!ready[lane])
                ;
            other = part[lane];
        }
        __syncwarp();
        for (int s = 4; s > 0; s /= 2)
            other += __shfl_down_sync(0xffffffff, other, s);
        if (lane == 0)
            out[row] = other;
    }
}
