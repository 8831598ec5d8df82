// Cooperative groups, cuda::barrier, cuda::pipeline and cuda::atomic in one kernel of 64 threads: what the lab's device
// headers give clang must mean what the CUDA Toolkit's give nvcc.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

struct three {
    short a, b, c;
};

__device__ void put(int *&out, int value)
{
    *out = value;
    out += blockDim.x;
}

// The block as a group whose kind is not known
__device__ int turned(cg::thread_group group, int *room, int value)
{
    unsigned int rank = (unsigned int)group.thread_rank(), size = (unsigned int)group.size();
    room[rank] = value;
    group.sync();
    int other = room[size - 1 - rank];
    group.sync();
    return other;
}

__device__ void lanes(int *&out, const int *in, int *room)
{
    const int t = threadIdx.x;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    cg::thread_block_tile<8> plain = tile;
    put(out, tile.meta_group_rank() * 100 + tile.meta_group_size() + warp.meta_group_rank() * 1000);
    put(out, plain.shfl(in[t], 3) + plain.shfl_up(in[t], 2) + plain.shfl_down(in[t], 1) + plain.shfl_xor(in[t], 5));
    three moved = tile.shfl(three{(short)t, (short)in[t], (short)-t}, 6);
    put(out, moved.a * 3 + moved.b * 5 + moved.c);
    put(out, (int)(warp.shfl_down((double)in[t] * 0.5, 7) * 2) + (int)(warp.shfl((long long)in[t] << 33, 9) >> 30));
    put(out, tile.any(in[t] > 90) + 2 * tile.all(in[t] > 10) + 4 * (int)tile.ballot(in[t] & 1));
    int same;
    put(out, (int)(tile.match_any(in[t] & 3) * 256 + tile.match_all(t >> 3, same)) + same * 7);
    put(out, cg::reduce(warp, in[t], cg::plus<int>()) + cg::reduce(tile, in[t], cg::less<int>()) * 10000);
    put(out, cg::reduce(tile, (unsigned)in[t], cg::bit_xor<unsigned>()) + 256 * cg::reduce(tile, in[t], cg::greater<int>()));
    put(out, (int)(cg::reduce(tile, in[t] * 0.25f, cg::plus<float>()) * 4 + cg::reduce(warp, (long long)in[t], cg::greater<long long>())));
    put(out, cg::inclusive_scan(warp, in[t]) + 100000 * cg::exclusive_scan(tile, in[t], cg::plus<int>()));
    put(out, cg::inclusive_scan(tile, in[t], cg::greater<int>()));
    auto halves = cg::binary_partition(warp, in[t] & 1);
    put(out, (int)(halves.size() * 1000 + halves.thread_rank() * 10 + halves.meta_group_rank()));
    auto labels = cg::labeled_partition(warp, in[t] % 5);
    put(out, (int)(labels.size() * 1000 + labels.thread_rank() * 10 + labels.meta_group_rank() + 5 * labels.meta_group_size()));
    put(out, cg::reduce(labels, in[t], cg::plus<int>()) + (int)cg::reduce(labels, in[t] * 0.5f, cg::plus<float>()));
    put(out, cg::inclusive_scan(labels, in[t]));
    if (in[t] % 3) {
        auto some = cg::coalesced_threads();
        put(out, (int)some.size() * 100 + some.shfl(t, 1) + some.shfl_up(t, 1) + some.shfl_down(t, 2) + some.any(t == 5));
        put(out, (int)some.ballot(in[t] & 2) + (int)some.match_any(in[t] & 4) + some.all(in[t] > 0));
        auto fours = cg::tiled_partition(some, 4);
        put(out, (int)(fours.size() * 100 + fours.thread_rank()));
        some.sync();
    } else {
        put(out, 0);
        put(out, 0);
        put(out, 0);
    }
    put(out, turned(block, room, in[t]) + (int)cg::group_size(block));
    put(out, turned(cg::tiled_partition(block, 16), room + t / 16 * 16, in[t]));
    put(out, (int)(block.group_index().x + block.thread_index().x + block.dim_threads().x + cg::this_grid().thread_rank()));
    cg::invoke_one(block, [&] { room[0] = 4711; });
    block.sync();
    put(out, room[0] + cg::invoke_one_broadcast(tile, [&] { return 5; }));
    block.sync();
}

__device__ void copies(int *&out, const int *in)
{
    const int t = threadIdx.x;
    __shared__ __align__(16) int a[256], b[64];
    __shared__ short odd[64];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    cg::memcpy_async(block, a, in, sizeof(int) * 64);
    cg::memcpy_async(block, a + 64, 64, in, 64);
    cg::wait_prior<1>(block);
    put(out, a[63 - t]);
    cg::wait(block);
    put(out, a[64 + (t ^ 1)]);
    block.sync();
    cg::memcpy_async(tile, (int4 *)a + tile.meta_group_rank() * 16, (const int4 *)in, cuda::aligned_size_t<16>(256));
    cg::memcpy_async(block, odd + 1, (const short *)in + 3, 2 * 61);
    cg::wait(block);
    put(out, a[t * 3] + odd[1 + t % 61]);

    __shared__ block_barrier whole, wide;
    if (t == 0) {
        init(&whole, block.size());
        init(&wide, block.size());
    }
    block.sync();
    cuda::memcpy_async(&a[t], &in[63 - t], sizeof(int), whole);
    auto token = whole.arrive();
    whole.wait(cuda::std::move(token));
    put(out, a[(t + 7) % 64]);
    cuda::memcpy_async(block, b, in, cuda::aligned_size_t<16>(sizeof b), wide);
    wide.arrive_and_wait();
    put(out, b[(t + 31) % 64]);
    block.sync();
    b[t] = t * in[t];
    if (t % 4 == 3)
        whole.arrive_and_drop();
    else
        (void)whole.arrive();
    whole.wait_parity(1);
    put(out, b[63 - t]);
    if (t % 4 != 3) {
        auto again = whole.arrive();
        while (!whole.try_wait_for(cuda::std::move(again), cuda::std::chrono::microseconds(50)))
            ;
    }
    block.sync();
    cuda::memcpy_async(block, a, b, sizeof b, wide); // shared to shared: through registers
    wide.arrive_and_wait();
    put(out, a[t ^ 3]);
}

__device__ void pipelines(int *&out, const int *in)
{
    const int t = threadIdx.x;
    __shared__ int ring[3][64], single[4][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> all, parted;
    auto block = cg::this_thread_block();
    int sum = 0;
    auto own = cuda::make_pipeline();
    for (int i = 0; i < 4; i++) {
        own.producer_acquire();
        cuda::memcpy_async(&single[i][t], &in[(t + i) % 64], sizeof(int), own);
        own.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<2>(own);
    sum += single[0][t] + 2 * single[1][t];
    own.consumer_wait();
    sum += 3 * single[2][t];
    own.consumer_wait();
    put(out, sum + 5 * single[3][t]);
    own.consumer_release();
    block.sync();

    auto pipe = cuda::make_pipeline(block, &all);
    sum = 0;
    for (int step = 0, fetched = 0; step < 8; step++) {
        for (; fetched < 8 && fetched < step + 3; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, ring[fetched % 3], in + (fetched & 1) * 4, 240, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 3 + ring[step % 3][59 - t % 60];
        pipe.consumer_release();
    }
    put(out, sum);
    block.sync();

    auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto roles = cuda::make_pipeline(block, &parted, role);
    sum = 0;
    for (int step = 0; step < 5; step++) {
        if (t < 32) {
            roles.producer_acquire();
            for (int i = t; i < 64; i += 32)
                cuda::memcpy_async(&ring[step % 3][i], &in[i ^ step], cuda::aligned_size_t<4>(4), roles);
            roles.producer_commit();
        } else {
            roles.consumer_wait();
            sum = sum * 3 + ring[step % 3][95 - t] + ring[step % 3][t];
            roles.consumer_release();
        }
    }
    put(out, sum);
}

__device__ cuda::atomic<int, cuda::thread_scope_device> everywhere{5};

__device__ void atomics(int *&out, const int *in)
{
    const int t = threadIdx.x;
    __shared__ int counts[6], data, flag;
    __shared__ float total;
    __shared__ struct {
        unsigned char bytes[4];
        short shorts[4];
    } small;
    if (t < 6)
        counts[t] = t;
    if (t < 4)
        small.bytes[t] = small.shorts[t] = 0;
    if (t == 0) {
        data = flag = 0;
        total = 0;
    }
    __syncthreads();
    using shared_int = cuda::atomic_ref<int, cuda::thread_scope_block>;
    shared_int(counts[0]).fetch_add(in[t], cuda::memory_order_relaxed);
    shared_int(counts[1]) += 2;
    shared_int(counts[2]).fetch_max(in[t], cuda::std::memory_order_relaxed);
    shared_int(counts[3]).fetch_xor(1 << t % 32);
    for (int seen = shared_int(counts[4]).load(); !shared_int(counts[4]).compare_exchange_weak(seen, seen + in[t]);)
        ;
    cuda::atomic_ref<float, cuda::thread_scope_block>(total).fetch_add(0.5f);
    cuda::atomic_ref<unsigned char, cuda::thread_scope_block> byte(small.bytes[t & 3]);
    cuda::atomic_ref<short, cuda::thread_scope_block> half(small.shorts[t & 1]);
    byte.fetch_add((unsigned char)(t * 9));
    half.fetch_min((short)(t - 40));
    cuda::atomic_ref<short, cuda::thread_scope_block> flips(small.shorts[2]);
    for (short seen = flips.load(); !flips.compare_exchange_weak(seen, (short)(seen ^ 1 << (t % 11)));)
        ;
    everywhere.fetch_add(3);
    if (t == 40) {
        data = in[9];
        shared_int(flag).store(1, cuda::memory_order_release);
    }
    if (t == 3) {
        while (!shared_int(flag).load(cuda::memory_order_acquire))
            ;
        counts[5] = data;
    }
    __syncthreads();
    put(out, counts[t % 6] + (int)(total * 2) + everywhere.load());
    put(out, small.bytes[t & 3] * 1000 + small.shorts[t % 3]);
    cuda::std::array<cuda::std::int32_t, 3> three{{1, 2, in[t]}};
    put(out, three[2] + three[t % 2] + cuda::std::numeric_limits<short>::max() + cuda::std::is_same<int, int>::value);
}

__global__ void groups(int *out, const int *in)
{
    __shared__ int room[64];
    out += threadIdx.x;
    lanes(out, in, room);
    copies(out, in);
    pipelines(out, in);
    atomics(out, in);
}
