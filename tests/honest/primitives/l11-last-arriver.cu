// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: threadFenceReduction inside a block: __threadfence_block, a shared ticket, the last warp to come adds the sums; a block of 128 for each row
LAUNCH(128, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[4];
    __shared__ unsigned tickets;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0)
        tickets = 0;
    __syncthreads();

    const float *row = in + (size_t)blockIdx.x * cols;
    float sum = 0;
    if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 128) {
            const float4 v = ((const float4 *)row)[i];
            sum += (v.x + v.y) + (v.z + v.w);
        }
    else
        for (int i = t; i < cols; i += 128)
            sum += row[i];
    for (int s = 16; s; s /= 2)
        sum += __shfl_xor_sync(~0u, sum, s);

    if (lane == 0) {
        *(volatile float *)&part[warp] = sum;
        __threadfence_block();
        if (atomicAdd(&tickets, 1u) == 3) {  // all others have been here
            __threadfence_block();
            const volatile float *p = part;
            out[blockIdx.x] = (p[0] + p[1]) + (p[2] + p[3]);
        }
    }
}
