// lesson 1; device sim,gpu; nvcc,clang; want: pass, at least 90; tries: one bulk copy in and one out for each block, the rest by hand
LAUNCH(128, 1, 2048, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ __align__(128) float stage[2048];
    __shared__ __align__(8) unsigned long long bar;
    int first = blockIdx.x * 2048, here = min(2048, n - first), whole = here / 4 * 4;
    unsigned s = (unsigned)__cvta_generic_to_shared(stage), b = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        if (whole > 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(whole * 4) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s),
                         "l"(in + first), "r"(whole * 4), "r"(b)
                         : "memory");
            unsigned done = 0;
            while (!done)
                asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done)
                             : "r"(b)
                             : "memory");
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + first), "r"(s), "r"(whole * 4) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
    for (int i = whole + threadIdx.x; i < here; i += 128)
        out[first + i] = in[first + i];
}
