// lesson 13; device sim,gpu; nvcc; want: fail|timeout; tries: four bytes for each of cols reductions are announced at once: an mbarrier's tx-count goes up to 2^20 - 1, so rows of 262144 bytes and more overflow it
LAUNCH(256, 1, 1, 1)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

// Add 1, and go on at once: the addition is made when it is made, and its four bytes are told to the
// barrier.
__device__ __forceinline__ void count(unsigned *place, unsigned long long *barrier)
{
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
                 ::"r"(AT(place)), "r"(1), "r"(AT(barrier)) : "memory");  // @count
}

__global__ void __cluster_dims__(1, 1, 1) histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    __shared__ unsigned long long counted;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&counted)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        // There will be one addition for each byte of the row.
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     ::"r"(AT(&counted)), "r"(4 * cols) : "memory");
    }
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += blockDim.x) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
            for (unsigned w : words)
                for (int at = 0; at < 32; at += 8)
                    count(&counts[(w >> at & 255) >> shift], &counted);
        }
    } else
        for (int i = t; i < cols; i += blockDim.x)
            count(&counts[bytes[i] >> shift], &counted);

    // All additions of all threads are done when the phase is.
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over) : "r"(AT(&counted)) : "memory");

    for (int v = t; v < 256; v += blockDim.x)
        out[blockIdx.x * 256 + v] = counts[v];
}
