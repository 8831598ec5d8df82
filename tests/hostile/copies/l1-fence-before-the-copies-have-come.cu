// lesson 1; device sim; nvcc,clang; want: fail, gate hazards; tries: the proxy fence stands before the wait for the copies that it should make seen, so it covers nothing of what they write
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ __align__(128) float room[8][1024];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t first = blockIdx.x * (size_t)8192 + warp * 1024;
    if (first + 1024 > n) {  // the end of in, float by float
        for (size_t i = first + lane; i < n; i += 32)
            out[i] = in[i];
        return;
    }
    unsigned at = (unsigned)__cvta_generic_to_shared(room[warp]);
    for (int j = 0; j < 8; j++) {
        int e = (j * 32 + lane) * 4;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at + e * 4), "l"(__cvta_generic_to_global(in + first + e)) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    if (lane == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;\n\t"
                     "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;"
                     :: "l"(__cvta_generic_to_global(out + first)), "r"(at) : "memory");
}
