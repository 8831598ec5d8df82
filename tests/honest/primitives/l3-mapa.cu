// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the tile is written and read through the cluster's window: mapa, st.shared::cluster, barrier.cluster (a cluster of one)
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    unsigned base, rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(base) : "r"((unsigned)__cvta_generic_to_shared(tile)), "r"(rank));
    const int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    if (bx + x < width && by + y < height)
        asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(base + (y * 32 + x) * 4), "f"(in[(by + y) * width + bx + x]) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (bx + y < width && by + x < height) {
        float v;
        asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(base + (x * 32 + y) * 4) : "memory");
        out[(bx + y) * height + by + x] = v;
    }
}
