// cooperative_groups::memcpy_async and its waits for clang: the threads of a group copy together, in pieces as wide as
// the types, the sizes or, for void pointers, the addresses allow.
#ifndef BANKSHOT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define BANKSHOT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma clang system_header
#include <bankshot_async.h>
#include <cooperative_groups.h>

namespace cooperative_groups {

// The widest piece that both addresses can be cut into together; what stands before and behind goes by itself.
template <class Group>
BANKSHOT_DEVICE void bankshot_copy_bytes(const Group &group, char *to, const char *from, size_t bytes)
{
    unsigned int apart = ((unsigned int)(size_t)to ^ (unsigned int)(size_t)from) & 15;
    unsigned int piece = apart & 3 || bytes < 4 ? 1 : apart & 4 || bytes < 8 ? 4 : apart & 8 || bytes < 16 ? 8 : 16;
    size_t before = -(size_t)from & (piece - 1), whole = (bytes - before) & ~(size_t)(piece - 1), after = before + whole;
    bankshot_copy_plain<1>(group, to, from, before);
    if (piece == 16)
        bankshot_copy_async<16>(group, to + before, from + before, whole);
    else if (piece == 8)
        bankshot_copy_async<8>(group, to + before, from + before, whole);
    else if (piece == 4)
        bankshot_copy_async<4>(group, to + before, from + before, whole);
    else
        bankshot_copy_plain<1>(group, to + before, from + before, whole);
    bankshot_copy_plain<1>(group, to + after, from + after, bytes - after);
}

template <size_t Align, class Group>
BANKSHOT_DEVICE void bankshot_copy(const Group &group, void *to, const void *from, size_t bytes)
{
    if constexpr (Align >= 4)
        bankshot_copy_async<Align>(group, (char *)to, (const char *)from, bytes);
    else
        bankshot_copy_bytes(group, (char *)to, (const char *)from, bytes);
}

template <class Group, class T, class Size>
BANKSHOT_DEVICE void memcpy_async(const Group &group, T *__restrict__ to, const T *__restrict__ from, const Size &bytes)
{
    bankshot_copy<bankshot_size_align<T, Size>::value>(group, to, from, (size_t)bytes);
    __pipeline_commit();
}

// Elements, not bytes: as many as both have.
template <class Group, class T, class Size, class FromSize>
BANKSHOT_DEVICE void memcpy_async(const Group &group, T *__restrict__ to, const Size &to_count,
                                  const T *__restrict__ from, const FromSize &from_count)
{
    size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    bankshot_copy<bankshot_size_align<T, Size>::value>(group, to, from, count * sizeof(T));
    __pipeline_commit();
}

template <unsigned int Stages, class Group> BANKSHOT_DEVICE void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}
template <class Group> BANKSHOT_DEVICE void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}

} // namespace cooperative_groups

#endif
