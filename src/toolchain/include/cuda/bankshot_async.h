// Copies that several threads share, for cuda::memcpy_async and cooperative_groups::memcpy_async.
#ifndef BANKSHOT_ASYNC_H
#define BANKSHOT_ASYNC_H
#pragma clang system_header

#include <cuda_pipeline_primitives.h>

namespace cuda {
// A size that is a multiple of Align, between addresses that are, too.
template <size_t Align> struct aligned_size_t {
    static constexpr size_t align = Align;
    size_t value;
    __attribute__((host, device, nodebug)) explicit constexpr aligned_size_t(size_t s) : value(s) {}
    __attribute__((host, device, nodebug)) constexpr operator size_t() const { return value; }
};
} // namespace cuda

// The alignment that pointers to T and a size of type Size promise together.
template <class T> struct bankshot_alignment { static constexpr size_t value = alignof(T); };
template <> struct bankshot_alignment<void> { static constexpr size_t value = 1; };
template <> struct bankshot_alignment<const void> { static constexpr size_t value = 1; };
template <class T, class Size> struct bankshot_size_align : bankshot_alignment<T> {};
template <class T, size_t Align> struct bankshot_size_align<T, cuda::aligned_size_t<Align>> {
    static constexpr size_t value = Align > bankshot_alignment<T>::value ? Align : bankshot_alignment<T>::value;
};

// One thread alone
struct bankshot_alone {
    __attribute__((device, always_inline, nodebug)) static constexpr unsigned int size() { return 1; }
    __attribute__((device, always_inline, nodebug)) static constexpr unsigned int thread_rank() { return 0; }
};

template <size_t Piece> struct __attribute__((aligned(Piece))) bankshot_piece { char bytes[Piece]; };
template <> struct __attribute__((aligned(4))) bankshot_piece<4> { unsigned int x; };
template <> struct __attribute__((aligned(8))) bankshot_piece<8> { uint2 x; };
template <> struct __attribute__((aligned(16))) bankshot_piece<16> { uint4 x; };

// Through registers, done when it returns.
template <size_t Piece, class Group>
BANKSHOT_DEVICE void bankshot_copy_plain(const Group &group, char *to, const char *from, size_t bytes)
{
    for (size_t at = group.thread_rank() * Piece; at < bytes; at += group.size() * Piece)
        *(bankshot_piece<Piece> *)(to + at) = *(const bankshot_piece<Piece> *)(from + at);
}

// By cp.async where the copy goes from global to shared memory; whether it did, and so must be waited for.
template <size_t Align, class Group>
BANKSHOT_DEVICE bool bankshot_copy_async(const Group &group, char *to, const char *from, size_t bytes)
{
    constexpr size_t piece = Align > 16 ? 16 : Align;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if constexpr (piece >= 4) {
        if (__isShared(to) && __isGlobal(from)) {
            for (size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece)
                __pipeline_memcpy_async(to + at, from + at, piece);
            return true;
        }
    }
#endif
    bankshot_copy_plain<piece>(group, to, from, bytes);
    return false;
}

#endif
