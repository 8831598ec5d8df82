// Races in global memory: within a block and between blocks.

//: exchange_through_global 1 64 : global-race w r
__global__ void exchange_through_global(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t]; // @w
    out[t + 64] = ((volatile int *)out)[63 - t]; // @r
}

//: shift_in_place 1 128 : global-race r w
__global__ void shift_in_place(int *in, int *out, int n)
{
    int t = threadIdx.x;
    int v = in[t + 1]; // @r
    in[t] = v; // @w
}

//: all_write_the_result 1 64 : global-race w w
__global__ void all_write_the_result(const int *in, int *out, int n)
{
    out[0] = in[threadIdx.x]; // @w
}

//: sum_without_atomic 1 96 : global-race w w, global-race r w
__global__ void sum_without_atomic(int *in, int *out, int n)
{
    int v = in[0]; // @r
    in[0] = v + threadIdx.x + 1; // @w
}

//: two_blocks_one_place 4 32 : block-race w w
__global__ void two_blocks_one_place(const int *in, int *out, int n)
{
    out[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x]; // @w
}

//: blocks_share_a_border 4 32 : block-race w e
__global__ void blocks_share_a_border(const int *in, int *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[i]; // @w
    __syncthreads();
    if (threadIdx.x == 31)
        out[i + 1] = -1; // @e
}

//: reads_the_next_block 4 32 : block-race w r
__global__ void reads_the_next_block(int *in, int *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[i + 32]; // @r
    in[i] = 7 + i; // @w
}

//: partial_sums_read_without_fence 4 32 : block-race w r
__global__ void partial_sums_read_without_fence(int *in, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        out[blockIdx.x + 1] = in[blockIdx.x + 10]; // @w
        last = atomicAdd(&in[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < 4; b++)
            sum += out[b + 1]; // @r
        out[0] = sum;
    }
}

//: zeroed_by_one_block 4 32 : block-race z a
__global__ void zeroed_by_one_block(const int *in, int *out, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 0; // @z
    __syncthreads();
    if (threadIdx.x == 1)
        atomicAdd(&out[0], in[blockIdx.x]); // @a
}

//: wrong_index_of_a_transpose 2,2 8,8 : block-race w w
__global__ void wrong_index_of_a_transpose(const int *in, int *out, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[threadIdx.x * 16 + y] = in[y * 16 + x]; // @w
}

//: stencil_in_place 4 32 : block-race r w, global-race r w
__global__ void stencil_in_place(int *in, int *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    int left = in[i], right = in[i + 1]; // @r
    in[i] = (left + right) / 2; // @w
}

//: ticket_reset_before_it_is_drawn 4 32 : block-race r a
__device__ unsigned tickets_reset_early;
__global__ void ticket_reset_before_it_is_drawn(const int *in, int *out, int n)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            tickets_reset_early = 0; // @r
        out[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        out[blockIdx.x + 64] = atomicAdd(&tickets_reset_early, 1); // @a
    }
}
