// Races in shared memory between lanes of one warp.

//: neighbour_without_syncwarp 1 32 : warp-race w r
__global__ void neighbour_without_syncwarp(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    out[t] = s[(t + 1) % 32]; // @r
}

//: old_volatile_reduction 1 32 : warp-race a b, warp-race b c, warp-race c d
__global__ void old_volatile_reduction(const int *in, int *out, int n)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
    __syncwarp();
    int v = s[t] + s[t + 8]; // @a
    s[t] = v; // @b
    v = s[t] + s[t + 4]; // @c
    s[t] = v; // @d
    out[t] = v;
}

//: lanes_write_one_place 1 32 : warp-race w w
__global__ void lanes_write_one_place(const int *in, int *out, int n)
{
    __shared__ int s[8];
    int t = threadIdx.x;
    s[t % 8] = in[t]; // @w
    __syncwarp();
    out[t] = s[t % 8];
}

//: syncwarp_of_half 1 32 : warp-race w r
__global__ void syncwarp_of_half(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    if (t < 16)
        __syncwarp(0x0000ffff);
    else
        __syncwarp(0xffff0000);
    out[t] = s[31 - t]; // @r
}

//: shuffle_is_no_syncwarp 1 32 : warp-race w r
__global__ void shuffle_is_no_syncwarp(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, v = in[t];
    s[t] = v; // @w
    v = __shfl_xor_sync(0xffffffffu, v, 1);
    out[t] = s[(t + 3) % 32] + v; // @r
}

//: read_then_overwritten 1 32 : warp-race r w
__global__ void read_then_overwritten(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    int v = s[(t + 1) % 32]; // @r
    s[t] = v + 1; // @w
    __syncwarp();
    out[t] = s[t];
}

//: branches_of_a_warp 1 32 : warp-race w r
__global__ void branches_of_a_warp(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 0;
    __syncwarp();
    if (t < 16)
        s[t] = in[t]; // @w
    else
        out[t] = s[t - 16]; // @r
}

//: masks_of_one_lane 1 32 : warp-race w r
__global__ void masks_of_one_lane(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    __syncwarp(1u << t);
    out[t] = s[31 - t]; // @r
}

//: masks_of_pairs 1 32 : warp-race w r
__global__ void masks_of_pairs(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    __syncwarp(3u << (t & 30));
    out[t] = s[t ^ 2]; // @r
}

//: several_reads_before_masks_of_one_lane 1 32 : warp-race r w
__global__ void several_reads_before_masks_of_one_lane(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    s[t] = in[t];
    __syncwarp();
#pragma unroll 1
    for (int i = 0; i < 3; i++)
        sum += s[(t + i) % 8]; // @r
    __syncwarp(1u << t);
    s[t] = sum; // @w
    __syncwarp();
    out[t] = s[31 - t];
}
