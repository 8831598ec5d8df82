// Warp operations whose mask or partners are wrong.

//: full_mask_in_a_branch 1 32 : wrong-membermask s
__global__ void full_mask_in_a_branch(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (t < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1); // @s
    out[t] = v;
}

//: mask_lacks_a_lane 1 32 : wrong-membermask s
__global__ void mask_lacks_a_lane(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    v += __shfl_xor_sync(0x7fffffffu, v, 1); // @s
    out[t] = v;
}

//: vote_of_half 1 32 : wrong-membermask s
__global__ void vote_of_half(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = 0;
    if (t & 1)
        v = __ballot_sync(0xffffffffu, in[t] > 7); // @s
    out[t] = v;
}

//: syncwarp_in_a_branch 1 32 : wrong-membermask s
__global__ void syncwarp_in_a_branch(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t];
    if (t < 8)
        __syncwarp(0x000000f0u); // @s
}

//: reads_beyond_the_mask 1 32 : shuffle-inactive s
__global__ void reads_beyond_the_mask(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (t < 16)
        v = __shfl_sync(0x0000ffffu, v, 20); // @s
    out[t] = v;
}

//: reduction_of_a_part 1 32 : shuffle-inactive s
__global__ void reduction_of_a_part(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (t < 20) {
#pragma unroll 1
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(0x000fffffu, v, d); // @s
        out[t] = v;
    }
}

//: reads_an_exited_lane 1 32 : shuffle-inactive s
__global__ void reads_an_exited_lane(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (t >= 24)
        return;
    out[t] = __shfl_xor_sync(0x00ffffffu, v, 16); // @s
}

//: scan_of_a_short_warp 1 20 : shuffle-inactive s
__global__ void scan_of_a_short_warp(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    v += __shfl_down_sync(0x000fffffu, v, 4); // @s
    out[t] = v;
}
