// Cooperative groups for clang: the block, tiles of a warp, the active lanes. Grid-wide groups need the driver.
#ifndef BANKSHOT_COOPERATIVE_GROUPS_H
#define BANKSHOT_COOPERATIVE_GROUPS_H
#pragma clang system_header

#define BANKSHOT_MEMBER __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {

class thread_block {
public:
    BANKSHOT_MEMBER void sync() const { __syncthreads(); }
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
    BANKSHOT_MEMBER static unsigned long long thread_rank()
    {
        unsigned long long block = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * thread_block::size() + thread_block::thread_rank();
    }
    BANKSHOT_MEMBER static unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
    }
    BANKSHOT_MEMBER static unsigned long long num_threads() { return size(); }
};
BANKSHOT_DEVICE grid_group this_grid() { return grid_group(); }

// The lanes of mask: shared by tiles and coalesced groups.
class bankshot_lanes {
protected:
    unsigned int mask, rank, count;
    BANKSHOT_MEMBER bankshot_lanes(unsigned int m, unsigned int r, unsigned int c) : mask(m), rank(r), count(c) {}

public:
    BANKSHOT_MEMBER void sync() const { __syncwarp(mask); }
    BANKSHOT_MEMBER unsigned int thread_rank() const { return rank; }
    BANKSHOT_MEMBER int any(int predicate) const { return __ballot_sync(mask, predicate) != 0; }
    BANKSHOT_MEMBER int all(int predicate) const { return __ballot_sync(mask, predicate) == mask; }
};

template <unsigned int Size, class Parent = thread_block> class thread_block_tile : public bankshot_lanes {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    BANKSHOT_MEMBER static unsigned int lane()
    {
        unsigned int l;
        asm("mov.u32 %0, %%laneid;" : "=r"(l));
        return l;
    }
    BANKSHOT_MEMBER static unsigned int tile_mask()
    {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (lane() & ~(Size - 1));
    }
    BANKSHOT_MEMBER unsigned int first() const { return lane() & ~(Size - 1); }

public:
    BANKSHOT_MEMBER thread_block_tile()
        : bankshot_lanes(tile_mask(), thread_block::thread_rank() & (Size - 1), Size)
    {
    }
    BANKSHOT_MEMBER static constexpr unsigned int size() { return Size; }
    BANKSHOT_MEMBER static constexpr unsigned int num_threads() { return Size; }
    BANKSHOT_MEMBER unsigned int meta_group_rank() const { return thread_block::thread_rank() / Size; }
    BANKSHOT_MEMBER unsigned int meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
#define BANKSHOT_SHUFFLE(name)                                                                                         \
    template <class T> BANKSHOT_MEMBER T name(T value, unsigned int lane) const                                        \
    {                                                                                                                  \
        return __##name##_sync(mask, value, lane, Size);                                                               \
    }
    BANKSHOT_SHUFFLE(shfl)
    BANKSHOT_SHUFFLE(shfl_down)
    BANKSHOT_SHUFFLE(shfl_up)
    BANKSHOT_SHUFFLE(shfl_xor)
#undef BANKSHOT_SHUFFLE
    BANKSHOT_MEMBER unsigned int ballot(int predicate) const
    {
        return __ballot_sync(mask, predicate) >> first();
    }
    template <class T> BANKSHOT_MEMBER unsigned int match_any(T value) const
    {
        return __match_any_sync(mask, value) >> first();
    }
};

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

public:
    BANKSHOT_MEMBER explicit coalesced_group(unsigned int m) : bankshot_lanes(m, below(m), (unsigned int)__popc(m)) {}
    BANKSHOT_MEMBER unsigned int size() const { return count; }
    BANKSHOT_MEMBER unsigned int num_threads() const { return count; }
    template <class T> BANKSHOT_MEMBER T shfl(T value, unsigned int source) const
    {
        return __shfl_sync(mask, value, lane_of(source));
    }
    template <class T> BANKSHOT_MEMBER T shfl_down(T value, unsigned int delta) const
    {
        T moved = __shfl_sync(mask, value, lane_of(rank + delta < count ? rank + delta : rank));
        return moved;
    }
    template <class T> BANKSHOT_MEMBER T shfl_up(T value, unsigned int delta) const
    {
        return __shfl_sync(mask, value, lane_of(rank >= delta ? rank - delta : rank));
    }
};
BANKSHOT_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int Size, class Parent> BANKSHOT_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<Size, Parent>();
}

template <class Group> BANKSHOT_DEVICE void sync(const Group &group) { group.sync(); }

// <cooperative_groups/reduce.h>
#define BANKSHOT_OPERATION(name, result)                                                                               \
    template <class T> struct name {                                                                                   \
        BANKSHOT_MEMBER T operator()(T a, T b) const { return result; }                                                \
    };
BANKSHOT_OPERATION(plus, a + b)
BANKSHOT_OPERATION(less, b < a ? b : a)
BANKSHOT_OPERATION(greater, a < b ? b : a)
BANKSHOT_OPERATION(bit_and, a & b)
BANKSHOT_OPERATION(bit_or, a | b)
BANKSHOT_OPERATION(bit_xor, a ^ b)
#undef BANKSHOT_OPERATION
template <unsigned int Size, class Parent, class T, class Operation>
BANKSHOT_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation operation)
{
#pragma unroll
    for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
        value = operation(value, tile.shfl_xor(value, lanes));
    return value;
}

} // namespace cooperative_groups
#undef BANKSHOT_MEMBER

#endif
