// lesson 4; device sim,gpu; nvcc; want: fail, gate conflicts|memory; tries: a column is written by st.async, whose turns nobody counts
LAUNCH(32, 8, 32, 32)  // a quarter of the threads, the same tile

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void __cluster_dims__(1, 1, 1) transpose(float *out, const float *in, int width, int height)
{
    // A row is 33 words long, one more than there are banks. Element (r, c) is word 33 r +
    // c, in bank (r + c) % 32: going down a column, r counts through all the banks, as c
    // does along a row. Column 32 is never used.
    __shared__ float tile[32][32];
    __shared__ unsigned long long come;
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;\n\tfence.mbarrier_init.release.cluster;" ::"r"(AT(&come)) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;" ::"r"(AT(&come)) : "memory");

    // Each thread moves four elements, eight rows apart. Their loads do not depend on each
    // other, so all four are on their way at once; and a block of 256 threads waits for
    // fewer warps at the barrier than one of 1024.
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        {
            float value = row + j < height && column < width ? in[(row + j) * width + column] : 0.0f;
            asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(AT(&tile[threadIdx.x][threadIdx.y + j])), "r"(__float_as_int(value)), "r"(AT(&come)) : "memory");
        }

    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(AT(&come)) : "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.y + j][threadIdx.x];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
