// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: bulk copies in and out through two places a warp, and a bulk load goes into a place that the bulk store two chunks before may still be reading (wait_group.read 2 for 1)
LAUNCH(256, 1, 8192, 1)

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ alignas(128) float place[8][2][128];
    __shared__ alignas(8) unsigned long long full[8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int start = blockIdx.x * 8192 + warp * 1024;

    if (lane == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full[warp])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        for (int chunk = 0; chunk < 8; chunk++) {
            int i = start + chunk * 128;
            if (i + 128 > n)
                break;
            unsigned here = at(place[warp][chunk % 2]), bar = at(&full[warp]);
            // At most so many stores may still be reading. The place was last stored two
            // chunks ago: with two under way, that one may be among them.
            asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(bar) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];"
                         ::"r"(here), "l"(__cvta_generic_to_global(in + i)), "r"(bar) : "memory");
            unsigned done = 0;
            while (!done)
                asm volatile("{ .reg .pred p;\n"
                             "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                             "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(chunk & 1) : "memory");
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;"
                         ::"l"(__cvta_generic_to_global(out + i)), "r"(here) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncwarp();

    // What fills no chunk goes by hand.
    for (int chunk = 0; chunk < 8; chunk++) {
        int i = start + chunk * 128;
        if (i + 128 > n)
            for (int j = i + lane; j < min(i + 128, n); j += 32)
                out[j] = in[j];
    }
}
