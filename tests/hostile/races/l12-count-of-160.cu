// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: 256 threads hand their asynchronous copies to an mbarrier that was made for 160 arrivals: its phase ends while the copies of 96 threads may still be under way
LAUNCH(256, 1, 1024, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define BARRIER_INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.proxy.async.shared::cta;" ::"r"(AT(bar)), "r"(count) : "memory")
#define ARRIVE_EXPECT(bar, bytes) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity)                                                                                              \
    for (unsigned over = 0; !over;)                                                                                    \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                 : "=r"(over) : "r"(AT(bar)), "r"(parity) : "memory")

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;  // tile[k] is in[first + k]

    // The tile and its halo: each float once, neighbours by neighbours, zeros outside.
    __shared__ unsigned long long full;
    if (t == 0)
        BARRIER_INIT(&full, 160);
    __syncthreads();
    for (int k = t; k < 1024 + 16; k += 256) {
        bool there = first + k >= 0 && first + k < n;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     ::"r"(AT(&tile[k])), "l"(__cvta_generic_to_global(there ? in + first + k : in)), "r"(there ? 4 : 0) : "memory");
    }
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(AT(&full)) : "memory");
    WAIT(&full, 0);

    // Outputs 4 t to 4 t + 3 want 20 words: five loads of 16 bytes.
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
