// lesson 13; device sim,gpu; nvcc; want: fail|timeout; tries: two halves of the block's warps count apart, and the copy engine adds both into `total` (cp.reduce.async.bulk, async proxy). Each thread's fence.proxy.async stands between its counting and the clearing of `total`: the zeros are stored behind the fence by the generic proxy, and no proxy fence orders them before the engine's additions. A zero that lands late takes counts away. Every row, every size.
// 13 histogram: two sets of counts, sixteen bytes a load, added up by the copy engine.
LAUNCH(256, 1, 1, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void __cluster_dims__(1, 1, 1) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(128) unsigned half[2][256], total[256];
    __shared__ unsigned long long added;

    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;
    unsigned *counts = half[t / 32 % 2];

    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&added)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    half[0][t] = 0;
    half[1][t] = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    atomicAdd(&counts[(w >> at & 255) >> shift], 1);  // @count
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1);

    // The engine goes past the path that threads use: what was counted has to be seen there.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    total[t] = 0;
    __syncthreads();

    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(AT(&added)) : "memory");
        for (int h = 0; h < 2; h++)
            asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
                         "[%0], [%1], 1024, [%2];"
                         ::"r"(AT(total)), "r"(AT(half[h])), "r"(AT(&added)) : "memory");
    }
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&added)) : "memory");
    out[blockIdx.x * 256 + t] = total[t];
}
