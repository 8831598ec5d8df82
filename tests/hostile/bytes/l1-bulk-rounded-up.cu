// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: floats come by bulk copies whose size is rounded up to 16 bytes, so that up to three floats past the end of in are read
LAUNCH(256, 1, 8192, 1)

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ alignas(128) float place[8][1024];
    __shared__ alignas(8) unsigned long long full[8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int start = blockIdx.x * 8192 + warp * 1024, have = min(1024, n - start);
    if (have <= 0)
        return;
    unsigned bar = at(&full[warp]);

    if (lane == 0) {
        int bytes = (have * 4 + 15) / 16 * 16;  // a bulk copy moves whole chunks of 16
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(at(place[warp])), "l"(__cvta_generic_to_global(in + start)), "r"(bytes), "r"(bar) : "memory");
    }
    __syncwarp();  // the mbarrier is there
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    __syncwarp();
    for (int i = lane; i < have; i += 32)
        out[start + i] = place[warp][i];
}
