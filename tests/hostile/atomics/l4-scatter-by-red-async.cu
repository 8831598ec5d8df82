// lesson 4; device sim,gpu; nvcc; want: pass|fail, at most 95; tries: no padding: asynchronous reductions scatter each row into one bank of a plain tile, 32 ways
LAUNCH(32, 8, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void __cluster_dims__(1, 1, 1) transpose(float *out, const float *in, int width, int height)
{
    __shared__ unsigned tile[32][32];  // rows of 32 words, as in lesson 3: columns of one bank
    __shared__ unsigned long long full;
    int lane = threadIdx.x, warp = threadIdx.y;
    int column = blockIdx.x * 32 + lane, row = blockIdx.y * 32 + warp;

    if (lane == 0 && warp == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        tile[warp + j][lane] = 0;
    __syncthreads();
    if (lane == 0 && warp == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" :: "r"(AT(&full)) : "memory");
    __syncthreads();

    // Turned on the way in: the 32 words of a warp go to one bank. Nobody counts a reduction that
    // arrives asynchronously.
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        float x = row + j < height && column < width ? in[(size_t)(row + j) * width + column] : 0.0f;
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
                     :: "r"(AT(&tile[lane][warp + j])), "r"(__float_as_uint(x)), "r"(AT(&full)) : "memory");
    }
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(AT(&full)) : "memory");

    int out_column = blockIdx.y * 32 + lane, out_row = blockIdx.x * 32 + warp;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(size_t)(out_row + j) * height + out_column] = __uint_as_float(tile[warp + j][lane]);
}
