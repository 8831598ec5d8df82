// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: two warps share a row and meet at a named barrier of 64, once a row, but the pair's one slot is filled for the next row while the other warp may still read it: a race (two slots would be right)
LAUNCH(256, 1, 12, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float slot[4];
    int lane = threadIdx.x % 32, pair = threadIdx.x / 64, side = threadIdx.x / 32 % 2;
    for (int k = 0; k < 3; k++) {
        int row = blockIdx.x * 12 + pair * 3 + k;
        if (row >= rows)
            break;
        const float *from = in + (size_t)row * cols;
        float sum = 0.0f;
        if (cols % 4 == 0)
            for (int i = side * 32 + lane; i < cols / 4; i += 64) {
                float4 q = ((const float4 *)from)[i];
                sum += (q.x + q.y) + (q.z + q.w);
            }
        else
            for (int i = side * 32 + lane; i < cols; i += 64)
                sum += from[i];
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (side == 1 && lane == 0)
            slot[pair] = sum;
        asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
        if (side == 0 && lane == 0)
            out[row] = sum + slot[pair];
    }
}
