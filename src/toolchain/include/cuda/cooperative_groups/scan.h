// cooperative_groups::inclusive_scan and exclusive_scan for clang.
#ifndef BANKSHOT_COOPERATIVE_GROUPS_SCAN_H
#define BANKSHOT_COOPERATIVE_GROUPS_SCAN_H
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group, class T, class Operation>
BANKSHOT_DEVICE T inclusive_scan(const Group &group, T value, Operation operation)
{
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T before = group.shfl_up(value, step);
        if (group.thread_rank() >= step)
            value = operation(before, value);
    }
    return value;
}
template <class Group, class T> BANKSHOT_DEVICE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

// The first thread gets T().
template <class Group, class T, class Operation>
BANKSHOT_DEVICE T exclusive_scan(const Group &group, T value, Operation operation)
{
    T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> BANKSHOT_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
