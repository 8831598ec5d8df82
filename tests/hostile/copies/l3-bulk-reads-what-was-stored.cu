// lesson 3; device sim; nvcc,clang; want: fail|timeout; tries: warp 0 of block 0 stores its row to its places of out and bulk-copies them from there with no fence.proxy.async between
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ alignas(128) float tile[32][32];
    __shared__ alignas(8) unsigned long long arrived;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    bool detour = blockIdx.x + blockIdx.y + ty == 0 && width >= 32 && height >= 32 && height % 4 == 0;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&arrived);
    if (detour) {
        if (tx == 0) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" :: "r"(bar) : "memory");
        }
        *(volatile float *)&out[ty * height + tx] = in[row * width + column];
        __syncwarp();
        if (tx == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" :: "r"(bar) : "memory");
            for (int r = 0; r < 1; r++)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                             :: "r"((unsigned)__cvta_generic_to_shared(&tile[r][0])),
                                "l"(__cvta_generic_to_global(&out[r * height])), "r"(bar) : "memory");
        }
        int done = 0;
        while (!done)
            asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(bar) : "memory");
    } else if (row < height && column < width)
        tile[ty][tx] = in[row * width + column];
    __syncthreads();

    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[tx][ty];
}
