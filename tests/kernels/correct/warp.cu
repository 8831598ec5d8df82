// Correct warp-level code.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: exchange_with_syncwarp 1 64 :
__global__ void exchange_with_syncwarp(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, w = t / 32 * 32;
    s[t] = in[t];
    __syncwarp();
    out[t] = s[w + (t + 1) % 32];
}

//: warp_reduction_with_syncwarp 1 64 :
__global__ void warp_reduction_with_syncwarp(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[t];
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        if (lane < d)
            s[t] += s[t + d];
        __syncwarp();
    }
    out[t] = s[t - lane];
}

//: warp_reduction_read_sync_write 1 32 :
__global__ void warp_reduction_read_sync_write(const int *in, int *out, int n)
{
    __shared__ int s[48];
    int t = threadIdx.x, v = in[t];
    if (t < 16)
        s[t + 32] = 0;
    s[t] = v;
    __syncwarp();
#pragma unroll
    for (int d = 16; d; d /= 2) {
        v += s[t + d];
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
    out[t] = v;
}

//: halves_sync_apart 1 32 :
__global__ void halves_sync_apart(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        out[t] = s[15 - t];
    } else {
        __syncwarp(0xffff0000u);
        out[t] = s[47 - t];
    }
}

//: quarters_sync_apart 1 32 :
__global__ void quarters_sync_apart(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, first = t / 8 * 8;
    unsigned mask = 0xffu << first;
    for (int i = 0; i < 3; i++) {
        s[t] = in[t + i];
        __syncwarp(mask);
        int v = s[first + (t + 3) % 8];
        __syncwarp(mask);
        out[t + 32 * i] = v;
    }
}

//: chain_of_partial_syncs 1 32 :
__global__ void chain_of_partial_syncs(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 0)
        s[0] = in[0];
    if (t < 2)
        __syncwarp(3u);
    if (t == 1 || t == 2)
        __syncwarp(6u);
    if (t == 2)
        out[0] = s[0];
}

//: shuffle_reduction 1 64 :
__global__ void shuffle_reduction(const int *in, int *out, int n)
{
    __shared__ int s[2];
    int t = threadIdx.x, v = in[t];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    if (t == 0)
        out[0] = s[0] + s[1];
}

//: shuffle_in_part_of_a_warp 1 32 :
__global__ void shuffle_in_part_of_a_warp(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    unsigned mask = __ballot_sync(0xffffffffu, t < 8);
    if (t < 8) {
        for (int d = 4; d; d /= 2)
            v += __shfl_xor_sync(mask, v, d);
        out[t] = v;
    }
}

//: ballot_compaction 1 32 :
__global__ void ballot_compaction(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, v = in[t];
    unsigned kept = __ballot_sync(0xffffffffu, v % 3 == 0);
    if (v % 3 == 0)
        s[__popc(kept & ((1u << t) - 1))] = v;
    __syncwarp();
    if (t < __popc(kept))
        out[t] = s[t];
}

//: tiles_of_sixteen 1 64 :
__global__ void tiles_of_sixteen(const int *in, int *out, int n)
{
    __shared__ int s[64];
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, first = t / 16 * 16;
    s[t] = in[t];
    tile.sync();
    int v = s[first + 15 - t % 16];
    for (int d = 8; d; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        out[t / 16] = v;
}

//: block_group_sync 1 128 :
__global__ void block_group_sync(const int *in, int *out, int n)
{
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    s[t] = in[t];
    block.sync();
    out[t] = s[127 - t];
}

//: coalesced_counter 1 64 :
__global__ void coalesced_counter(const int *in, int *out, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (in[t] % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(&count, active.size());
        first = active.shfl(first, 0);
        out[first + active.thread_rank()] = t;
    }
}

//: tile_of_one_lane 1 32 :
__global__ void tile_of_one_lane(const int *in, int *out, int n)
{
    __shared__ int s[32];
    cg::thread_block_tile<1> self = cg::tiled_partition<1>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    self.sync();
    out[threadIdx.x] = s[threadIdx.x];
}

//: match_and_leader 1 32 :
__global__ void match_and_leader(const int *in, int *out, int n)
{
    __shared__ int s[8];
    int t = threadIdx.x, key = in[t] % 8;
    unsigned same = __match_any_sync(0xffffffffu, key);
    if (t == __ffs(same) - 1)
        s[key] = __popc(same);
    __syncwarp();
    out[t] = s[key];
}

//: reduction_of_eight_lanes 1 32 :
__global__ void reduction_of_eight_lanes(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (t < 8) {
        for (int d = 4; d; d /= 2)
            v += __shfl_down_sync(0xffu, v, d);
        if (t == 0)
            out[0] = v;
    }
}

//: masks_of_pairs_for_pairs 1 32 :
__global__ void masks_of_pairs_for_pairs(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp(3u << (t & 30));
    out[t] = s[t ^ 1];
}

//: sync_in_two_places 1 32 :
__global__ void sync_in_two_places(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = in[t];
        __syncwarp();
    } else {
        __syncwarp();
        out[t] = s[t - 16];
    }
}
