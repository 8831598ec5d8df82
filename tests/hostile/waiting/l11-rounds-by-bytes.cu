// lesson 11; device sim,gpu; nvcc; want: pass|fail, at most 95; tries: a tree in eight rounds of the whole block: st.async sends each sum and its bytes complete an mbarrier that all threads wait at, so that nobody executes an arrive or a __syncthreads in a round
LAUNCH(256, 1, 1, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define BARRIER_INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.proxy.async.shared::cta;" ::"r"(AT(bar)), "r"(count) : "memory")
#define ARRIVE_EXPECT(bar, bytes) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity)                                                                                              \
    for (unsigned over = 0; !over;)                                                                                    \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                 : "=r"(over) : "r"(AT(bar)), "r"(parity) : "memory")

__global__ void __cluster_dims__(1, 1, 1) row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    __shared__ unsigned long long round[8];
    int t = threadIdx.x, row = blockIdx.x;
    if (t == 0)
        for (int l = 0; l < 8; l++) {
            BARRIER_INIT(&round[l], 1);
            ARRIVE_EXPECT(&round[l], (128 >> l) * 4);
        }
    __syncthreads();

    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = t; i < cols; i += 256)
            sum += in[(long long)row * cols + i];

    for (int l = 0, s = 128; s > 0; l++, s /= 2) {
        if (t >= s && t < 2 * s)
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];"
                         ::"r"(AT(&part[t])), "r"(__float_as_uint(sum)), "r"(AT(&round[l])) : "memory");
        WAIT(&round[l], 0);  // every thread of the block, in every round
        if (t < s)
            sum += part[t + s];
    }
    if (t == 0)
        out[row] = sum;
}
