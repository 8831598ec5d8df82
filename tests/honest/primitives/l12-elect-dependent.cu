// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: elect.sync issues a bulk copy, griddepcontrol.wait before it and launch_dependents at the end; edges by threads
LAUNCH(256, 1, 1024, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ alignas(128) float tile[1040];
    __shared__ alignas(8) unsigned long long bar;
    const unsigned mb = (unsigned)__cvta_generic_to_shared(&bar), to = (unsigned)__cvta_generic_to_shared(tile);
    const int t = threadIdx.x, first = blockIdx.x * 1024 - 8;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;\n\tfence.mbarrier_init.release.cluster;" ::"r"(mb) : "memory");
    __syncthreads();
    if (first >= 0 && first + 1040 <= n) {
        // four warps bring 260 floats each: 1040 bytes, a multiple of 16
        if (t < 128) {
            unsigned me;
            asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(me));
            if (me) {
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1040;" ::"r"(mb) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1040, [%2];"
                             ::"r"(to + t / 32 * 1040), "l"(__cvta_generic_to_global(in + first + t / 32 * 260)), "r"(mb) : "memory");
            }
        }
        asm volatile("{\n\t.reg .pred p;\nW:\n\tmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], 0;\n\t@!p bra W;\n\t}" ::"r"(mb) : "memory");
    } else {
        for (int j = t; j < 1040; j += 256) {
            int i = first + j;
            tile[j] = i >= 0 && i < n ? in[i] : 0.0f;
        }
        __syncthreads();
    }
    const float4 *v = (const float4 *)tile + t;
    float w[20];
#pragma unroll
    for (int q = 0; q < 5; q++) { float4 f = v[q]; w[4 * q] = f.x; w[4 * q + 1] = f.y; w[4 * q + 2] = f.z; w[4 * q + 3] = f.w; }
    float4 r = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int j = 0; j < 17; j++) { r.x += w[j]; r.y += w[j + 1]; r.z += w[j + 2]; r.w += w[j + 3]; }
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    const int o = first + 8 + 4 * t;
    if (o + 4 <= n) { *(float4 *)(out + o) = r; return; }
    const float f[4] = {r.x, r.y, r.z, r.w};
    for (int j = 0; j < 4; j++) if (o + j < n) out[o + j] = f[j];
}
