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
