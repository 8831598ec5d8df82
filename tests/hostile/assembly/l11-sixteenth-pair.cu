// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: with 16 rows in a block the last pair of warps meets at barrier 16: a block has barriers 0 to 15, so from rows = 16 on `bar.sync 16, 64` has no defined meaning
LAUNCH(1024, 1, 16, 1)

// Two warps share a row, so that a block of 32 warps has 16 rows. The pair meets at a barrier of its
// own: 0 belongs to __syncthreads(), so pair p takes p + 1.
__device__ void meet(int pair)
{
    asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float upper[16];  // of each row, what its second warp has

    int pair = threadIdx.x / 64, t = threadIdx.x % 64, row = blockIdx.x * 16 + pair;
    if (row >= rows)  // both warps of a pair leave, or none
        return;

    const float *from = in + (long long)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 64) {
            float4 q = ((const float4 *)from)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    else
        for (int i = t; i < cols; i += 64)
            sum += from[i];

    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t == 32)
        upper[pair] = sum;
    meet(pair);
    if (t == 0)
        out[row] = sum + upper[pair];
}
