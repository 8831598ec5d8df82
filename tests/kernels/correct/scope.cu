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
