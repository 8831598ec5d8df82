// Atomics whose scope is wide enough.

//: block_scope_on_its_own 4 32 :
__global__ void block_scope_on_its_own(int *in, int *out, int n)
{
    atomicAdd_block(&in[blockIdx.x], 1);
}

//: system_scope_between_blocks 4 32 :
__global__ void system_scope_between_blocks(int *in, int *out, int n)
{
    atomicAdd_system(&in[0], 1);
}

//: counts_within_the_cluster 2 32 :
__global__ void __cluster_dims__(2, 1, 1) counts_within_the_cluster(int *in, int *out, int n)
{
    asm volatile("red.relaxed.cluster.global.add.u32 [%0], 1;" ::"l"(in) : "memory");
}

//: counts_by_cluster 4 32 :
__global__ void __cluster_dims__(2, 1, 1) counts_by_cluster(int *in, int *out, int n)
{
    asm volatile("red.relaxed.cluster.global.add.u32 [%0], 1;" ::"l"(in + blockIdx.x / 2) : "memory");
}

//: message_within_the_cluster 4 32 :
__global__ void __cluster_dims__(2, 1, 1) message_within_the_cluster(int *in, int *out, int n)
{
    int t = threadIdx.x, seen;
    int *data = in + blockIdx.x / 2 * 64, *flag = data + 32;
    if (blockIdx.x % 2 == 0) {
        data[t] = t;
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cluster.global.u32 [%0], -1;" ::"l"(flag) : "memory");
    } else {
        do
            asm volatile("ld.acquire.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen != -1);
        out[blockIdx.x * 32 + t] = data[31 - t];
        __syncwarp();
        if (t == 0)
            *flag = 0; // as it has been seen
    }
}

//: fences_within_the_cluster 2 32 :
__global__ void __cluster_dims__(2, 1, 1) fences_within_the_cluster(int *in, int *out, int n)
{
    int t = threadIdx.x, seen, *flag = in + 64;
    if (blockIdx.x == 0) {
        in[t] = t;
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        __syncwarp();
        if (t == 0)
            asm volatile("st.relaxed.cluster.global.u32 [%0], -1;" ::"l"(flag) : "memory");
    } else {
        do
            asm volatile("ld.relaxed.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen != -1);
        __syncthreads();
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        out[t] = in[31 - t];
    }
}

//: from_the_cluster_to_the_grid 4 32 :
__global__ void __cluster_dims__(2, 1, 1) from_the_cluster_to_the_grid(int *in, int *out, int n)
{
    int t = threadIdx.x, seen, *near = in + 64, *far = in + 96;
    if (blockIdx.x == 0) {
        in[t] = t;
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cluster.global.u32 [%0], -1;" ::"l"(near) : "memory");
    } else if (blockIdx.x == 1) { // what it has learned it tells on
        do
            asm volatile("ld.acquire.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(near) : "memory");
        while (seen != -1);
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.gpu.global.u32 [%0], -1;" ::"l"(far) : "memory");
    } else if (blockIdx.x == 3) {
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(far) : "memory");
        while (seen != -1);
        out[t] = in[31 - t];
    }
}
