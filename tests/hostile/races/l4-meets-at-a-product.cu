// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tile is handed over by an mbarrier at which only lane 0 of each warp arrives. Between the stores of the other 31 lanes and that arrival stands no __syncwarp() but an mma.sync of registers, which orders no memory (ptxas 13.0 even drops it, since nobody uses its result: STS is followed by SYNCS.ARRIVE of lane 0). The arrival releases lane 0's stores alone: the tile's other 31 columns race with their readers in other warps, at every size above 1 x 1.
// 04 padding: element (r, c) at column r + c (mod 32): no conflict, no padding, 4096 bytes and a barrier.
LAUNCH(32, 8, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long filled;  // a phase ends when all eight warps have arrived

    int lane = threadIdx.x;
    if (lane == 0 && threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(AT(&filled)) : "memory");
    __syncthreads();  // the barrier is there

    int column = blockIdx.x * 32 + lane;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][lane + r & 31] = in[(row + j) * width + column];  // @fill
    }

    // The whole warp takes part in a product, so all of its lanes have come here when it is done.
    int d0 = 0, d1 = 0;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d0), "+r"(d1) : "r"(lane), "r"(lane) : "memory");
    if (lane == 0)  // one speaks for 32
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&filled)) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&filled)) : "memory");

    int out_column = blockIdx.y * 32 + lane;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[lane][threadIdx.y + j + lane & 31];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
