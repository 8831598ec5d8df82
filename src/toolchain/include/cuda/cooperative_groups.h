// Cooperative groups for clang: the grid, the cluster, the block, tiles of a warp, the lanes of a warp that run together.
// Reductions, scans and copies have headers of their own, as in CUDA.
#ifndef BANKSHOT_COOPERATIVE_GROUPS_H
#define BANKSHOT_COOPERATIVE_GROUPS_H
#pragma clang system_header
#include <stdint.h> // the toolkit's header brings it

#define BANKSHOT_MEMBER __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {

class thread_block {
public:
    BANKSHOT_MEMBER static void sync() { __syncthreads(); }
    // In two halves, of which the second does it all: nobody may count on the first.
    struct arrival_token {};
    BANKSHOT_MEMBER static arrival_token barrier_arrive() { return arrival_token(); }
    BANKSHOT_MEMBER static void barrier_wait(arrival_token &&) { __syncthreads(); }
    BANKSHOT_MEMBER static unsigned int thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    BANKSHOT_MEMBER static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    BANKSHOT_MEMBER static unsigned int num_threads() { return size(); }
    BANKSHOT_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    BANKSHOT_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    BANKSHOT_MEMBER static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    BANKSHOT_MEMBER static dim3 group_dim() { return dim_threads(); }
};
BANKSHOT_DEVICE thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
    BANKSHOT_MEMBER static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    BANKSHOT_MEMBER static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    BANKSHOT_MEMBER static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    BANKSHOT_MEMBER static unsigned long long size() { return num_blocks() * thread_block::size(); }
    BANKSHOT_MEMBER static unsigned long long num_threads() { return size(); }
    BANKSHOT_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    BANKSHOT_MEMBER static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    BANKSHOT_MEMBER static dim3 group_dim() { return dim_blocks(); }
    // What a cooperative launch hands to its blocks; 0 in any other.
    BANKSHOT_MEMBER static unsigned long long bankshot_workspace()
    {
        unsigned int low, high;
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        return (unsigned long long)high << 32 | low;
    }
    BANKSHOT_MEMBER static bool is_valid() { return bankshot_workspace() != 0; }
    // One thread of each block arrives; the first block's adds what turns the highest bit when all have.
    BANKSHOT_MEMBER static void sync()
    {
        if (!is_valid())
            __trap();
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            unsigned long long barrier = bankshot_workspace() + 4;
            unsigned int arrive = block_rank() ? 1 : 0x80000001u - (unsigned int)num_blocks(), before, now;
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(barrier), "r"(arrive) : "memory");
            do {
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(barrier) : "memory");
            } while (!((before ^ now) >> 31));
        }
        __syncthreads();
    }
};
BANKSHOT_DEVICE grid_group this_grid() { return grid_group(); }

// The blocks of a cluster; without one (trace --cluster) a block is alone in its own.
class cluster_group {
#define BANKSHOT_OF_CLUSTER(name, word)                                                                                \
    BANKSHOT_MEMBER static unsigned int name()                                                                         \
    {                                                                                                                  \
        unsigned int value;                                                                                            \
        asm("mov.u32 %0, %%cluster_" word ";" : "=r"(value));                                                          \
        return value;                                                                                                  \
    }
public:
    BANKSHOT_OF_CLUSTER(block_rank, "ctarank")
    BANKSHOT_OF_CLUSTER(num_blocks, "nctarank")
    BANKSHOT_OF_CLUSTER(bankshot_x, "ctaid.x")
    BANKSHOT_OF_CLUSTER(bankshot_y, "ctaid.y")
    BANKSHOT_OF_CLUSTER(bankshot_z, "ctaid.z")
    BANKSHOT_OF_CLUSTER(bankshot_width, "nctaid.x")
    BANKSHOT_OF_CLUSTER(bankshot_height, "nctaid.y")
    BANKSHOT_OF_CLUSTER(bankshot_depth, "nctaid.z")
#undef BANKSHOT_OF_CLUSTER
    struct arrival_token {};
    BANKSHOT_MEMBER static arrival_token barrier_arrive()
    {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    BANKSHOT_MEMBER static void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    BANKSHOT_MEMBER static void barrier_wait(arrival_token &&) { barrier_wait(); }
    BANKSHOT_MEMBER static void sync()
    {
        barrier_arrive();
        barrier_wait();
    }
    template <class T> BANKSHOT_MEMBER static T *map_shared_rank(T *address, int rank)
    {
        T *mapped;
        asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
        return mapped;
    }
    BANKSHOT_MEMBER static unsigned int query_shared_rank(const void *address)
    {
        unsigned int rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
        return rank;
    }
    BANKSHOT_MEMBER static dim3 block_index() { return dim3(bankshot_x(), bankshot_y(), bankshot_z()); }
    BANKSHOT_MEMBER static dim3 dim_blocks() { return dim3(bankshot_width(), bankshot_height(), bankshot_depth()); }
    BANKSHOT_MEMBER static dim3 dim_threads()
    {
        return dim3(bankshot_width() * blockDim.x, bankshot_height() * blockDim.y, bankshot_depth() * blockDim.z);
    }
    BANKSHOT_MEMBER static dim3 thread_index()
    {
        return dim3(bankshot_x() * blockDim.x + threadIdx.x, bankshot_y() * blockDim.y + threadIdx.y,
                    bankshot_z() * blockDim.z + threadIdx.z);
    }
    BANKSHOT_MEMBER static unsigned int thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    BANKSHOT_MEMBER static unsigned int num_threads() { return num_blocks() * thread_block::size(); }
    BANKSHOT_MEMBER static unsigned int size() { return num_threads(); }
};
BANKSHOT_DEVICE cluster_group this_cluster() { return cluster_group(); }

BANKSHOT_DEVICE unsigned int bankshot_lane()
{
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// Any value that can be copied moves between lanes as words.
#define BANKSHOT_SHUFFLE_ANY(name)                                                                                     \
    template <class T> BANKSHOT_DEVICE T bankshot_##name(unsigned int mask, T value, unsigned int lane, int width)     \
    {                                                                                                                  \
        static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32, "a shuffle moves plain values of up to 32 bytes"); \
        unsigned int words[(sizeof(T) + 3) / 4] = {};                                                                  \
        __builtin_memcpy(words, &value, sizeof(T));                                                                    \
        for (unsigned int &word : words)                                                                               \
            word = __##name##_sync(mask, word, lane, width);                                                           \
        __builtin_memcpy(&value, words, sizeof(T));                                                                    \
        return value;                                                                                                  \
    }
BANKSHOT_SHUFFLE_ANY(shfl)
BANKSHOT_SHUFFLE_ANY(shfl_down)
BANKSHOT_SHUFFLE_ANY(shfl_up)
BANKSHOT_SHUFFLE_ANY(shfl_xor)
#undef BANKSHOT_SHUFFLE_ANY

// The lanes of mask: shared by tiles and coalesced groups. rank is among them, meta_rank that of the group among the
// meta_count groups of the partition.
class bankshot_lanes {
protected:
    unsigned int mask, rank, count, meta_rank, meta_count;
    BANKSHOT_MEMBER bankshot_lanes(unsigned int m, unsigned int r, unsigned int c, unsigned int mr, unsigned int mc)
        : mask(m), rank(r), count(c), meta_rank(mr), meta_count(mc)
    {
    }

public:
    BANKSHOT_MEMBER void sync() const { __syncwarp(mask); }
    BANKSHOT_MEMBER unsigned int thread_rank() const { return rank; }
    BANKSHOT_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
    BANKSHOT_MEMBER unsigned int meta_group_size() const { return meta_count; }
    BANKSHOT_MEMBER int any(int predicate) const { return __ballot_sync(mask, predicate) != 0; }
    BANKSHOT_MEMBER int all(int predicate) const { return __ballot_sync(mask, predicate) == mask; }
    BANKSHOT_MEMBER unsigned int bankshot_mask() const { return mask; }
};

// A tile of Size lanes that follow each other.
template <unsigned int Size, class Parent = void> class thread_block_tile : public bankshot_lanes {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads; larger ones need the CUDA Toolkit");
    BANKSHOT_MEMBER static unsigned int first() { return bankshot_lane() & ~(Size - 1); }
    BANKSHOT_MEMBER static unsigned int tile_mask()
    {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << first();
    }

public:
    // of threads that are `above` of `all` in the group it is cut from
    BANKSHOT_MEMBER thread_block_tile(unsigned int above, unsigned int all)
        : bankshot_lanes(tile_mask(), thread_block::thread_rank() & (Size - 1), Size, above / Size,
                         (all + Size - 1) / Size)
    {
    }
    template <class Other>
    BANKSHOT_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &other) : bankshot_lanes(other)
    {
    }
    BANKSHOT_MEMBER static constexpr unsigned int size() { return Size; }
    BANKSHOT_MEMBER static constexpr unsigned int num_threads() { return Size; }
#define BANKSHOT_SHUFFLE(name)                                                                                         \
    template <class T> BANKSHOT_MEMBER T name(T value, unsigned int lane) const                                        \
    {                                                                                                                  \
        return bankshot_##name(mask, value, lane, Size);                                                               \
    }
    BANKSHOT_SHUFFLE(shfl)
    BANKSHOT_SHUFFLE(shfl_down)
    BANKSHOT_SHUFFLE(shfl_up)
    BANKSHOT_SHUFFLE(shfl_xor)
#undef BANKSHOT_SHUFFLE
    BANKSHOT_MEMBER unsigned int ballot(int predicate) const { return __ballot_sync(mask, predicate) >> first(); }
    template <class T> BANKSHOT_MEMBER unsigned int match_any(T value) const
    {
        return __match_any_sync(mask, value) >> first();
    }
    template <class T> BANKSHOT_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        return __match_all_sync(mask, value, &predicate) >> first();
    }
};

// Some lanes of a warp, in the order of their numbers.
class coalesced_group : public bankshot_lanes {
    BANKSHOT_MEMBER static unsigned int below(unsigned int m)
    {
        unsigned int lower;
        asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
        return (unsigned int)__popc(m & lower);
    }
    BANKSHOT_MEMBER unsigned int lane_of(unsigned int r) const
    {
        unsigned int m = mask;
        for (unsigned int i = 0; i < r; i++)
            m &= m - 1;
        return m ? (unsigned int)__ffs((int)m) - 1 : 0;
    }
    // a bit for each lane → a bit for each rank
    BANKSHOT_MEMBER unsigned int ranks_of(unsigned int lanes) const
    {
        unsigned int ranks = 0, bit = 1;
        for (unsigned int m = mask; m; m &= m - 1, bit <<= 1)
            ranks |= lanes & m & -m ? bit : 0;
        return ranks;
    }

public:
    BANKSHOT_MEMBER explicit coalesced_group(unsigned int m, unsigned int meta = 0, unsigned int metas = 1)
        : bankshot_lanes(m, below(m), (unsigned int)__popc(m), meta, metas)
    {
    }
    BANKSHOT_MEMBER unsigned int size() const { return count; }
    BANKSHOT_MEMBER unsigned int num_threads() const { return count; }
    template <class T> BANKSHOT_MEMBER T shfl(T value, unsigned int source) const
    {
        return bankshot_shfl(mask, value, lane_of(source % count), 32);
    }
    template <class T> BANKSHOT_MEMBER T shfl_down(T value, unsigned int delta) const
    {
        return bankshot_shfl(mask, value, lane_of(rank + delta < count ? rank + delta : rank), 32);
    }
    template <class T> BANKSHOT_MEMBER T shfl_up(T value, unsigned int delta) const
    {
        return bankshot_shfl(mask, value, lane_of(rank >= delta ? rank - delta : rank), 32);
    }
    BANKSHOT_MEMBER unsigned int ballot(int predicate) const { return ranks_of(__ballot_sync(mask, predicate)); }
    template <class T> BANKSHOT_MEMBER unsigned int match_any(T value) const
    {
        return ranks_of(__match_any_sync(mask, value));
    }
    template <class T> BANKSHOT_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        return ranks_of(__match_all_sync(mask, value, &predicate));
    }
    // the group of `tile` ranks that this thread is in
    BANKSHOT_MEMBER coalesced_group bankshot_part(unsigned int tile) const
    {
        unsigned int part = 0, place = 0, mine = rank / tile;
        for (unsigned int m = mask; m; m &= m - 1, place++)
            part |= place / tile == mine ? m & -m : 0;
        return coalesced_group(part, mine, (count + tile - 1) / tile);
    }
};
BANKSHOT_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// ---- partitions

template <unsigned int Size> BANKSHOT_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size, thread_block>(thread_block::thread_rank(), thread_block::size());
}
template <unsigned int Size, unsigned int Whole, class Parent>
BANKSHOT_DEVICE thread_block_tile<Size, thread_block_tile<Whole, Parent>>
tiled_partition(const thread_block_tile<Whole, Parent> &tile)
{
    static_assert(Size <= Whole, "a tile is cut into smaller ones");
    return thread_block_tile<Size, thread_block_tile<Whole, Parent>>(tile.thread_rank(), Whole);
}
BANKSHOT_DEVICE thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

BANKSHOT_DEVICE coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
    return group.bankshot_part(size);
}

// A group whose kind is known at run time: a block, or lanes.
class thread_group {
    coalesced_group lanes;
    bool is_block;

public:
    BANKSHOT_MEMBER thread_group(const thread_block &) : lanes(0), is_block(true) {}
    BANKSHOT_MEMBER thread_group(const coalesced_group &group) : lanes(group), is_block(false) {}
    template <unsigned int Size, class Parent>
    BANKSHOT_MEMBER thread_group(const thread_block_tile<Size, Parent> &tile)
        : lanes(tile.bankshot_mask(), tile.meta_group_rank(), tile.meta_group_size()), is_block(false)
    {
    }
    BANKSHOT_MEMBER void sync() const
    {
        if (is_block)
            thread_block::sync();
        else
            lanes.sync();
    }
    BANKSHOT_MEMBER unsigned long long size() const { return is_block ? thread_block::size() : lanes.size(); }
    BANKSHOT_MEMBER unsigned long long num_threads() const { return size(); }
    BANKSHOT_MEMBER unsigned long long thread_rank() const
    {
        return is_block ? thread_block::thread_rank() : lanes.thread_rank();
    }
    BANKSHOT_MEMBER thread_group bankshot_part(unsigned int tile) const
    {
        if (!is_block)
            return thread_group(lanes.bankshot_part(tile));
        unsigned int thread = thread_block::thread_rank(), start = thread & ~(tile - 1), rest = thread_block::size() - start,
                     lane_count = rest < tile ? rest : tile;
        return thread_group(coalesced_group((0xffffffffu >> (32 - lane_count)) << (bankshot_lane() & ~(tile - 1)),
                                            thread / tile, (thread_block::size() + tile - 1) / tile));
    }
};
BANKSHOT_DEVICE thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    return group.bankshot_part(size);
}
BANKSHOT_DEVICE thread_group tiled_partition(const thread_block &block, unsigned int size)
{
    return thread_group(block).bankshot_part(size);
}

template <class Group> BANKSHOT_DEVICE coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned int all = group.bankshot_mask(), set = __ballot_sync(all, predicate);
    if (set == all || set == 0)
        return coalesced_group(all);
    return coalesced_group(predicate ? set : all & ~set, predicate, 2);
}
template <class Group, class Label> BANKSHOT_DEVICE coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned int all = group.bankshot_mask(), same;
    if constexpr (sizeof(Label) > 4)
        same = __match_any_sync(all, (unsigned long long)label);
    else
        same = __match_any_sync(all, (unsigned int)label);
    unsigned int leader = (unsigned int)__ffs((int)same) - 1;
    unsigned int leaders = __ballot_sync(all, leader == bankshot_lane());
    return coalesced_group(same, (unsigned int)__popc(leaders & ((1u << leader) - 1)), (unsigned int)__popc(leaders));
}
template <class Group> BANKSHOT_DEVICE coalesced_group labeled_partition(const Group &group, bool label)
{
    return binary_partition(group, label);
}

// ---- functions of any group

template <class Group> BANKSHOT_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> BANKSHOT_DEVICE auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> BANKSHOT_DEVICE auto group_size(const Group &group) { return group.num_threads(); }

template <class Group, class Function, class... Arguments>
BANKSHOT_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
BANKSHOT_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
{
    decltype(function(static_cast<Arguments &&>(arguments)...)) result;
    if (group.thread_rank() == 0)
        result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

// ---- what <cooperative_groups/reduce.h> and /scan.h combine values with

#define BANKSHOT_OPERATION(name, result)                                                                               \
    template <class T = void> struct name {                                                                            \
        BANKSHOT_MEMBER T operator()(T a, T b) const { return result; }                                                \
    };                                                                                                                 \
    template <> struct name<void> {                                                                                    \
        template <class T> BANKSHOT_MEMBER T operator()(T a, T b) const { return result; }                             \
    };
BANKSHOT_OPERATION(plus, a + b)
BANKSHOT_OPERATION(less, b < a ? b : a)
BANKSHOT_OPERATION(greater, a < b ? b : a)
BANKSHOT_OPERATION(bit_and, a & b)
BANKSHOT_OPERATION(bit_or, a | b)
BANKSHOT_OPERATION(bit_xor, a ^ b)
#undef BANKSHOT_OPERATION

} // namespace cooperative_groups
#undef BANKSHOT_MEMBER

#endif
