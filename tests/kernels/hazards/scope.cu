// Atomics between blocks whose scope is one block.

//: counts_by_block_scope 4 32 : block-race a a
__global__ void counts_by_block_scope(int *in, int *out, int n)
{
    atomicAdd_block(&in[0], 1); // @a
}

//: ticket_of_block_scope 4 32 : block-race a a
__global__ void ticket_of_block_scope(int *in, int *out, int n)
{
    if (threadIdx.x == 0)
        out[1 + blockIdx.x] = atomicAdd_block(&in[0], 1); // @a
}

//: counts_by_cluster_scope 4 32 : block-race c c
__global__ void __cluster_dims__(2, 1, 1) counts_by_cluster_scope(int *in, int *out, int n)
{
    asm volatile("red.relaxed.cluster.global.add.u32 [%0], 1;" ::"l"(in) : "memory"); // @c
}

//: message_to_another_cluster 4 32 : block-race w r, block-race f p
__global__ void __cluster_dims__(2, 1, 1) message_to_another_cluster(int *in, int *out, int n)
{
    int t = threadIdx.x, seen, *flag = in + 64;
    if (blockIdx.x == 0) {
        in[t] = t; // @w
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cluster.global.u32 [%0], -1;" ::"l"(flag) : "memory"); // @f
    } else if (blockIdx.x == 2) {
        do
            asm volatile("ld.acquire.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // @p
        while (seen != -1);
        out[t] = in[31 - t]; // @r
    }
}

//: fence_of_the_cluster_for_another_one 4 32 : block-race w r
__global__ void __cluster_dims__(2, 1, 1) fence_of_the_cluster_for_another_one(int *in, int *out, int n)
{
    int t = threadIdx.x, *flag = in + 64;
    if (blockIdx.x == 0) {
        in[t] = t; // @w
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        __syncwarp();
        if (t == 0)
            atomicExch(flag, -1);
    } else if (blockIdx.x == 3) {
        while (atomicAdd(flag, 0) != -1)
            ;
        __threadfence();
        out[t] = in[31 - t]; // @r
    }
}

//: message_of_block_scope_within_a_cluster 2 32 : block-race w r, block-race f p
__global__ void __cluster_dims__(2, 1, 1) message_of_block_scope_within_a_cluster(int *in, int *out, int n)
{
    int t = threadIdx.x, seen, *flag = in + 64;
    if (blockIdx.x == 0) {
        in[t] = t; // @w
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cta.global.u32 [%0], -1;" ::"l"(flag) : "memory"); // @f
    } else {
        do
            asm volatile("ld.acquire.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // @p
        while (seen != -1);
        out[t] = in[31 - t]; // @r
    }
}

//: acquire_of_block_scope 2 32 : block-race w r, block-race f p
__global__ void acquire_of_block_scope(int *in, int *out, int n)
{
    int t = threadIdx.x, seen, *flag = in + 64;
    if (blockIdx.x == 0) {
        in[t] = t; // @w
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.gpu.global.u32 [%0], -1;" ::"l"(flag) : "memory"); // @f
    } else {
        do
            asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // @p
        while (seen != -1);
        __syncthreads();
        out[t] = in[31 - t]; // @r
    }
}
