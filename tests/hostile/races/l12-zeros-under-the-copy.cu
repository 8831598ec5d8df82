// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the whole tile is cleared by plain stores (generic proxy), then bulk copies (async proxy) write the numbers over the zeros. Threads meet in between, but nobody executes fence.proxy.async between the stores and the copies: the two proxies are not ordered, and zeros may land on top of numbers. Every block, every n >= 4.
// 12 stencil: the copy engine brings the tile, zeros are there before; four outputs a thread.
LAUNCH(256, 1, 1024, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(128) float tile[1024 + 16];
    __shared__ unsigned long long full;

    int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * 1024 - 8;  // tile[k] is in[first + k]

    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (int q = t; q < (1024 + 16) / 4; q += 256)  // zeros, wherever nothing else will come
        ((float4 *)tile)[q] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();

    // What exists: from `low` on, a multiple of 8, whole quads by bulk copies, up to three floats behind them by hand.
    int low = max(first, 0), high = min(first + 1024 + 16, n), quads_end = low + (high - low) / 4 * 4;
    if (t < high - quads_end)
        tile[quads_end + t - first] = in[quads_end + t];
    __syncwarp();
    if (lane == 0) {
        int from = low + warp * 132, bytes = max(0, min(132, quads_end - from)) * 4;  // each warp its part
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&full)), "r"(bytes) : "memory");
        if (bytes > 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         ::"r"(AT(tile + (from - first))), "l"(__cvta_generic_to_global(in + from)), "r"(bytes),
                         "r"(AT(&full)) : "memory");
    }
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&full)) : "memory");

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];  // @take
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
