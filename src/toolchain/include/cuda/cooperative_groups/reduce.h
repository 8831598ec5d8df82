// cooperative_groups::reduce for clang.
#ifndef BANKSHOT_COOPERATIVE_GROUPS_REDUCE_H
#define BANKSHOT_COOPERATIVE_GROUPS_REDUCE_H
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {

// Integers of 32 bits have an instruction of their own from sm_80 on.
template <class T, class Operation> struct bankshot_redux {
    enum { is_there = false };
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define BANKSHOT_REDUX(type, operation, name)                                                                          \
    template <> struct bankshot_redux<type, operation<type>> {                                                         \
        enum { is_there = true };                                                                                      \
        __attribute__((device, always_inline, nodebug)) static type run(unsigned int mask, type value)                 \
        {                                                                                                              \
            return (type)__reduce_##name##_sync(mask, value);                                                          \
        }                                                                                                              \
    };
BANKSHOT_REDUX(int, plus, add)
BANKSHOT_REDUX(int, less, min)
BANKSHOT_REDUX(int, greater, max)
BANKSHOT_REDUX(unsigned int, plus, add)
BANKSHOT_REDUX(unsigned int, less, min)
BANKSHOT_REDUX(unsigned int, greater, max)
BANKSHOT_REDUX(unsigned int, bit_and, and)
BANKSHOT_REDUX(unsigned int, bit_or, or)
BANKSHOT_REDUX(unsigned int, bit_xor, xor)
#undef BANKSHOT_REDUX
#endif

template <unsigned int Size, class Parent, class T, class Operation>
BANKSHOT_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation operation)
{
    typedef bankshot_redux<T, Operation> redux;
    if constexpr (redux::is_there) {
        return redux::run(tile.bankshot_mask(), value);
    } else {
#pragma unroll
        for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
            value = operation(value, tile.shfl_xor(value, lanes));
        return value;
    }
}

// Ranks that are no power of two: after each step a thread holds those of `step` ranks from its own on.
template <class T, class Operation>
BANKSHOT_DEVICE T reduce(const coalesced_group &group, T value, Operation operation)
{
    typedef bankshot_redux<T, Operation> redux;
    if constexpr (redux::is_there) {
        return redux::run(group.bankshot_mask(), value);
    } else {
        for (unsigned int step = 1; step < group.size(); step *= 2) {
            T other = group.shfl_down(value, step);
            if (group.thread_rank() + step < group.size())
                value = operation(value, other);
        }
        return group.shfl(value, 0);
    }
}

} // namespace cooperative_groups

#endif
