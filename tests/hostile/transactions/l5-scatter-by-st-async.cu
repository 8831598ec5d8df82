// lesson 5; device sim,gpu; nvcc; want: fail; tries: no swizzle: the tile is filled transposed, 32 lanes into one bank, by st.async into the block's own memory, and then read by rows
LAUNCH(32, 8, 32, 32)

__global__ void __cluster_dims__(1, 1, 1) transpose(float *out, const float *in, int width, int height)
{
    // 4096 bytes are the limit, so the barrier lies in the tile: the 32nd column of row 31 of it is kept back in a register and handed over last.
    __shared__ __align__(16) float tile[1024];
    unsigned base = (unsigned)__cvta_generic_to_shared(tile), bar = base + 4088;  // the last two floats: (30, 31) and (31, 31)
    int id = threadIdx.y * 32 + threadIdx.x;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int columns = min(32, width - x0), rows = min(32, height - y0);

    int column = x0 + threadIdx.x, row = y0 + threadIdx.y;
    float mine[4];
    for (int j = 0; j < 4; j++)
        mine[j] = row + j * 8 < height && column < width ? in[(row + j * 8) * width + column] : 0.0f;

    int late = (columns == 32 && rows == 32) + (columns == 32 && rows >= 31);  // elements of which the place is the barrier's
    if (id == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"((columns * rows - late) * 4) : "memory");
    }
    __syncthreads();
    unsigned self, to, tobar;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(self));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(base), "r"(self));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(tobar) : "r"(bar), "r"(self));
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = threadIdx.y + j * 8, c = threadIdx.x, place = c * 32 + r;
        if (r < rows && c < columns && place < 1022)
            asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to + place * 4),
                         "r"(__float_as_uint(mine[j])), "r"(tobar) : "memory");
    }
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(bar) : "memory");
    __syncthreads();
    if (id == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar) : "memory");

    for (int j = 0; j < 32; j += 8) {
        int c = threadIdx.y + j, r = threadIdx.x, place = c * 32 + r;
        if (c < columns && r < rows && place < 1022)
            out[(x0 + c) * height + y0 + r] = tile[place];
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {  // the two that had no place
        int r = threadIdx.y + j * 8, c = threadIdx.x;
        if (r < rows && c < columns && c * 32 + r >= 1022)
            out[(x0 + c) * height + y0 + r] = mine[j];
    }
}
