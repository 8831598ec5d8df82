// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp's sum goes into a volatile variable of its own, and lane 0 arrives with mbarrier.arrive.relaxed.cta. volatile is no more than relaxed, and a relaxed arrival without a fence releases nothing: thread 0, which has seen the phase end, may still read variables of other warps that nobody has written yet. No release, no fence: unordered at every size, also for rows of one float (warps 1 to 7 store 0).
// 11 reduction: one row a block, eight sums by shuffles, then one thread adds eight numbers.
LAUNCH(256, 1, 1, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    // Variables, not an array: volatile, so that each is really stored and really loaded.
    __shared__ volatile float s0, s1, s2, s3, s4, s5, s6, s7;
    __shared__ unsigned long long summed;

    int t = threadIdx.x, lane = t % 32;
    const float *row = in + (long long)blockIdx.x * cols;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(AT(&summed)) : "memory");

    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = ((const float4 *)row)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    else
        for (int i = t; i < cols; i += 256)
            sum += row[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    __syncthreads();  // the mbarrier is there

    if (lane == 0) {
        switch (t / 32) {
        case 0: s0 = sum; break;
        case 1: s1 = sum; break;
        case 2: s2 = sum; break;
        case 3: s3 = sum; break;
        case 4: s4 = sum; break;
        case 5: s5 = sum; break;
        case 6: s6 = sum; break;
        case 7: s7 = sum; break;
        }
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(AT(&summed)) : "memory");
    }
    if (t == 0) {
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&summed)) : "memory");
        float a = s0, b = s1, c = s2, d = s3, e = s4, f = s5, g = s6, h = s7;
        out[blockIdx.x] = ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
}
