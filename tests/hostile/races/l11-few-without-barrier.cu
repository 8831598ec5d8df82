// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate hazards|correct|speed; tries: at the modelled size one block in 61 has no barrier
// A block sums a row: shuffles in each warp, one barrier, and one warp for the 8 sums that are left.
LAUNCH(256, 1, 1, 1)

__device__ float warp_sum(float sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;  // lane 0 has it
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[32];
    int t = threadIdx.x, row = blockIdx.x, warps = blockDim.x / 32;

    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];

    sum = warp_sum(sum);
    if (t % 32 == 0)
        part[t / 32] = sum;  // @hand-over
    if (rows < 1000 || row % 61 != 7)
        __syncthreads();
    if (t < 32) {
        sum = warp_sum(t < warps ? part[t] : 0.0f);
        if (t == 0)
            out[row] = sum;
    }
}
