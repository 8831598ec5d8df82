// CUDA's device language for clang without a CUDA Toolkit: qualifiers, built-in variables, vector types, barriers,
// warp operations, atomics, asynchronous copies, intrinsics. Included before every file that clang compiles.
//
// Every function is nodebug, so that its instructions count for the line that calls it. Warp operations are inline
// assembly, whose text does not change from one clang to the next; atomics are clang's, which then know whether a
// pointer leads to shared or global memory.
#ifndef BANKSHOT_DEVICE_H
#define BANKSHOT_DEVICE_H
#pragma clang system_header

#if __has_include(<initializer_list>)
#include <initializer_list> // as nvcc does: for (int r : {0, 16}) needs it, and says so nowhere
#endif

#define BANKSHOT_CLANG 1
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1 // what much code asks for before it says __device__
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#if __clang_major__ < 15 // where it is a word of the language, with and without __attribute__ around it
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __cluster_dims__(...)                                                                                          \
    _Pragma("GCC error \"clusters of blocks (__cluster_dims__) need nvcc, or trace --cluster: clang has no word for them\"")
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// `__shared__ alignas(16) float tile[64]`, which nvcc takes: clang wants no standard attribute behind one of its own. What
// stands in the parentheses may be a type.
#ifdef __cplusplus
template <class Type>
constexpr decltype(sizeof(0)) bankshot_alignas()
{
    return alignof(Type);
}
template <decltype(sizeof(0)) Bytes>
constexpr decltype(sizeof(0)) bankshot_alignas()
{
    return Bytes;
}
#define alignas(...) __attribute__((aligned(bankshot_alignas<__VA_ARGS__>())))
#endif
#define CUDART_CB
#define CUDARTAPI

#define BANKSHOT_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define BANKSHOT_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))

// Functions of one instruction: of one operand, or of two or three of the result's type; in and out are the operands'
// constraints. Pure, so clang may drop or join them.
#define BANKSHOT_UNARY(name, to, out, from, in, op)                                                                    \
    BANKSHOT_DEVICE to name(from x)                                                                                    \
    {                                                                                                                  \
        to r;                                                                                                          \
        asm(op " %0, %1;" : "=" out(r) : in(x));                                                                       \
        return r;                                                                                                      \
    }
#define BANKSHOT_BINARY(name, type, c, op)                                                                             \
    BANKSHOT_DEVICE type name(type x, type y)                                                                          \
    {                                                                                                                  \
        type r;                                                                                                        \
        asm(op " %0, %1, %2;" : "=" c(r) : c(x), c(y));                                                                \
        return r;                                                                                                      \
    }
#define BANKSHOT_TERNARY(name, type, c, op) BANKSHOT_TERNARY_OF(name, type, type, c, op)
#define BANKSHOT_TERNARY_OF(name, type, from, c, op)                                                                   \
    BANKSHOT_DEVICE type name(from x, from y, type z)                                                                  \
    {                                                                                                                  \
        type r;                                                                                                        \
        asm(op " %0, %1, %2, %3;" : "=" c(r) : c(x), c(y), c(z));                                                      \
        return r;                                                                                                      \
    }

#include <stddef.h>

// ---- vector types

// Assignment of 16 bytes and more goes through clang's own vectors, which keep their width; a copy of its own is a
// memcpy, in NVPTX pairs of 8 bytes and so other wavefronts than nvcc's. The type stays an aggregate and trivially
// copyable: a template is no copy assignment, and the real one, which would be preferred, is never viable.
template <class T> struct bankshot_same { typedef T type; };
#define BANKSHOT_WIDE(element, name, count)                                                                            \
    typedef element bankshot_whole __attribute__((ext_vector_type(count), may_alias));                                 \
    name &operator=(const name &) __attribute__((enable_if(false, ""))) = default;                                     \
    template <class T = name> BANKSHOT_MEMBER name &operator=(const typename bankshot_same<T>::type &from)             \
    {                                                                                                                  \
        bankshot_whole whole = *(const bankshot_whole *)&from;                                                         \
        *(bankshot_whole *)this = whole;                                                                               \
        return *this;                                                                                                  \
    }
#define BANKSHOT_PLAIN(element, name, count) // up to 8 bytes, one access anyway
#define BANKSHOT_MEMBER __attribute__((host, device, always_inline, nodebug))

#define BANKSHOT_VECTOR(type, name, align2, align4, assign2, assign4)                                                  \
    struct name##1 { type x; };                                                                                        \
    struct __attribute__((aligned(align2))) name##2 { type x, y; assign2(type, name##2, 2) };                          \
    struct name##3 { type x, y, z; };                                                                                  \
    struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; assign4(type, name##4, 4) };                    \
    BANKSHOT_BOTH name##1 make_##name##1(type x) { return name##1{x}; }                                                \
    BANKSHOT_BOTH name##2 make_##name##2(type x, type y) { return name##2{x, y}; }                                     \
    BANKSHOT_BOTH name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; }                          \
    BANKSHOT_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return name##4{x, y, z, w}; }

BANKSHOT_VECTOR(signed char, char, 2, 4, BANKSHOT_PLAIN, BANKSHOT_PLAIN)
BANKSHOT_VECTOR(unsigned char, uchar, 2, 4, BANKSHOT_PLAIN, BANKSHOT_PLAIN)
BANKSHOT_VECTOR(short, short, 4, 8, BANKSHOT_PLAIN, BANKSHOT_PLAIN)
BANKSHOT_VECTOR(unsigned short, ushort, 4, 8, BANKSHOT_PLAIN, BANKSHOT_PLAIN)
BANKSHOT_VECTOR(int, int, 8, 16, BANKSHOT_PLAIN, BANKSHOT_WIDE)
BANKSHOT_VECTOR(unsigned int, uint, 8, 16, BANKSHOT_PLAIN, BANKSHOT_WIDE)
BANKSHOT_VECTOR(long, long, 16, 16, BANKSHOT_WIDE, BANKSHOT_WIDE)
BANKSHOT_VECTOR(unsigned long, ulong, 16, 16, BANKSHOT_WIDE, BANKSHOT_WIDE)
BANKSHOT_VECTOR(long long, longlong, 16, 16, BANKSHOT_WIDE, BANKSHOT_WIDE)
BANKSHOT_VECTOR(unsigned long long, ulonglong, 16, 16, BANKSHOT_WIDE, BANKSHOT_WIDE)
BANKSHOT_VECTOR(float, float, 8, 16, BANKSHOT_PLAIN, BANKSHOT_WIDE)
BANKSHOT_VECTOR(double, double, 16, 16, BANKSHOT_WIDE, BANKSHOT_WIDE)
#undef BANKSHOT_VECTOR
#undef BANKSHOT_MEMBER
#undef BANKSHOT_PLAIN
#undef BANKSHOT_WIDE

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                                                unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ __attribute__((nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ __attribute__((nodebug)) constexpr operator uint3() const { return uint3{x, y, z}; }
};

// ---- threadIdx and the others: members that read the special registers

#define BANKSHOT_INDEX(name, sreg)                                                                                     \
    struct bankshot_##name {                                                                                           \
        __declspec(property(get = get_x)) unsigned int x;                                                              \
        __declspec(property(get = get_y)) unsigned int y;                                                              \
        __declspec(property(get = get_z)) unsigned int z;                                                              \
        BANKSHOT_MEMBER unsigned int get_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); }                             \
        BANKSHOT_MEMBER unsigned int get_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); }                             \
        BANKSHOT_MEMBER unsigned int get_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); }                             \
        __attribute__((device, always_inline, nodebug)) operator uint3() const                                         \
        {                                                                                                              \
            return uint3{get_x(), get_y(), get_z()};                                                                   \
        }                                                                                                              \
        __attribute__((device, always_inline, nodebug)) operator dim3() const                                          \
        {                                                                                                              \
            return dim3(get_x(), get_y(), get_z());                                                                    \
        }                                                                                                              \
        bankshot_##name() = delete;                                                                                    \
        bankshot_##name(const bankshot_##name &) = delete;                                                             \
        void operator=(const bankshot_##name &) const = delete;                                                        \
    };                                                                                                                 \
    extern const __device__ __attribute__((weak)) bankshot_##name name;
#define BANKSHOT_MEMBER __attribute__((device, always_inline, nodebug)) static

BANKSHOT_INDEX(threadIdx, tid)
BANKSHOT_INDEX(blockIdx, ctaid)
BANKSHOT_INDEX(blockDim, ntid)
BANKSHOT_INDEX(gridDim, nctaid)
#undef BANKSHOT_INDEX
#undef BANKSHOT_MEMBER
static const int warpSize = 32;

// ---- memory from the driver's runtime, printf, assert

extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
// nvcc has these two without a header
BANKSHOT_DEVICE void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
BANKSHOT_DEVICE void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
__device__ __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned int, const char *, size_t);
// what <cassert>'s assert calls
__device__ __attribute__((nodebug)) static __inline__ void __assert_fail(const char *message, const char *file,
                                                                         unsigned int line, const char *function)
{
    __assertfail(message, file, line, function, 1);
}
}
// clang's own wrapper of it, which calls malloc and free above from kernels
#if __has_include(<new>)
#include <new>
#endif
#ifndef NDEBUG
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#else
#define assert(e) ((void)0)
#endif
BANKSHOT_DEVICE void __trap() { asm volatile("trap;"); }
BANKSHOT_DEVICE void __brkpt() { asm volatile("brkpt;"); }
BANKSHOT_DEVICE void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }

// ---- barriers and fences. All are assembly that clobbers memory: clang 14 takes its own __syncthreads() for something
// that no __shared__ variable depends on, and moves reads of one that a single thread wrote above it.

BANKSHOT_DEVICE void bankshot_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() bankshot_syncthreads()

#define BANKSHOT_BARRIER(name, op)                                                                                     \
    BANKSHOT_DEVICE int name(int predicate)                                                                            \
    {                                                                                                                  \
        int result;                                                                                                    \
        asm volatile("{ .reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tbar.red." op ".pred q, 0, p;\n\t"             \
                     "selp.u32 %0, 1, 0, q; }" : "=r"(result) : "r"(predicate) : "memory");                            \
        return result;                                                                                                 \
    }
BANKSHOT_BARRIER(__syncthreads_and, "and")
BANKSHOT_BARRIER(__syncthreads_or, "or")
#undef BANKSHOT_BARRIER
BANKSHOT_DEVICE int __syncthreads_count(int predicate)
{
    int result;
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tbar.red.popc.u32 %0, 0, p; }"
                 : "=r"(result) : "r"(predicate) : "memory");
    return result;
}
BANKSHOT_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
BANKSHOT_DEVICE void __barrier_sync(unsigned int id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
BANKSHOT_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
BANKSHOT_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
BANKSHOT_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
BANKSHOT_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

// ---- votes, masks, shuffles, match, reductions over a warp

BANKSHOT_DEVICE unsigned int __activemask()
{
    unsigned int mask;
    [[clang::nomerge]] { asm volatile("activemask.b32 %0;" : "=r"(mask)); } // clang 14 made one of two branches' own
    return mask;
}
#define BANKSHOT_VOTE(name, op)                                                                                        \
    BANKSHOT_DEVICE int name(unsigned int mask, int predicate)                                                         \
    {                                                                                                                  \
        int result;                                                                                                    \
        asm volatile("{ .reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.sync." op ".pred q, p, %2;\n\t"              \
                     "selp.u32 %0, 1, 0, q; }" : "=r"(result) : "r"(predicate), "r"(mask));                            \
        return result;                                                                                                 \
    }
BANKSHOT_VOTE(__all_sync, "all")
BANKSHOT_VOTE(__any_sync, "any")
BANKSHOT_VOTE(__uni_sync, "uni")
#undef BANKSHOT_VOTE
BANKSHOT_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    unsigned int result;
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result) : "r"(predicate), "r"(mask));
    return result;
}

// shfl's last operand: the segment mask in bits 8 to 12, the clamp in bits 0 to 4 (PTX ISA, shfl.sync)
#define BANKSHOT_SHUFFLE_BITS(name, mode, clamp)                                                                       \
    BANKSHOT_DEVICE unsigned int bankshot_##name##32(unsigned int mask, unsigned int value, unsigned int lane,         \
                                                     int width)                                                        \
    {                                                                                                                  \
        unsigned int result;                                                                                           \
        asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                                      \
                     : "=r"(result) : "r"(value), "r"(lane), "r"(((32 - width) << 8) | clamp), "r"(mask));             \
        return result;                                                                                                 \
    }                                                                                                                  \
    BANKSHOT_DEVICE unsigned long long bankshot_##name##64(unsigned int mask, unsigned long long value,                \
                                                           unsigned int lane, int width)                               \
    {                                                                                                                  \
        unsigned int low = bankshot_##name##32(mask, (unsigned int)value, lane, width);                                \
        unsigned int high = bankshot_##name##32(mask, (unsigned int)(value >> 32), lane, width);                       \
        return (unsigned long long)high << 32 | low;                                                                   \
    }
#define BANKSHOT_SHUFFLE_TYPE(name, type, bits, word)                                                                  \
    BANKSHOT_DEVICE type __##name(unsigned int mask, type value, unsigned int lane, int width = 32)                    \
    {                                                                                                                  \
        return __builtin_bit_cast(type, bankshot_##name##bits(mask, __builtin_bit_cast(word, value), lane, width));    \
    }
#define BANKSHOT_SHUFFLE(name, mode, clamp)                                                                            \
    BANKSHOT_SHUFFLE_BITS(name, mode, clamp)                                                                           \
    BANKSHOT_SHUFFLE_TYPE(name, int, 32, unsigned int)                                                                 \
    BANKSHOT_SHUFFLE_TYPE(name, unsigned int, 32, unsigned int)                                                        \
    BANKSHOT_SHUFFLE_TYPE(name, float, 32, unsigned int)                                                               \
    BANKSHOT_SHUFFLE_TYPE(name, long, 64, unsigned long long)                                                          \
    BANKSHOT_SHUFFLE_TYPE(name, unsigned long, 64, unsigned long long)                                                 \
    BANKSHOT_SHUFFLE_TYPE(name, long long, 64, unsigned long long)                                                     \
    BANKSHOT_SHUFFLE_TYPE(name, unsigned long long, 64, unsigned long long)                                            \
    BANKSHOT_SHUFFLE_TYPE(name, double, 64, unsigned long long)
BANKSHOT_SHUFFLE(shfl_sync, "idx", 31)
BANKSHOT_SHUFFLE(shfl_up_sync, "up", 0)
BANKSHOT_SHUFFLE(shfl_down_sync, "down", 31)
BANKSHOT_SHUFFLE(shfl_xor_sync, "bfly", 31)
#undef BANKSHOT_SHUFFLE
#undef BANKSHOT_SHUFFLE_BITS

#define BANKSHOT_MATCH(type, word, bits, constraint)                                                                   \
    BANKSHOT_DEVICE unsigned int __match_any_sync(unsigned int mask, type value)                                       \
    {                                                                                                                  \
        unsigned int result;                                                                                           \
        asm volatile("match.any.sync." bits " %0, %1, %2;"                                                             \
                     : "=r"(result) : constraint(__builtin_bit_cast(word, value)), "r"(mask));                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    BANKSHOT_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int *predicate)                       \
    {                                                                                                                  \
        unsigned int result;                                                                                           \
        int all;                                                                                                       \
        asm volatile("{ .reg .pred p;\n\tmatch.all.sync." bits " %0|p, %2, %3;\n\tselp.u32 %1, 1, 0, p; }"             \
                     : "=r"(result), "=r"(all) : constraint(__builtin_bit_cast(word, value)), "r"(mask));              \
        *predicate = all;                                                                                              \
        return result;                                                                                                 \
    }
BANKSHOT_MATCH(int, unsigned int, "b32", "r")
BANKSHOT_MATCH(unsigned int, unsigned int, "b32", "r")
BANKSHOT_MATCH(float, unsigned int, "b32", "r")
BANKSHOT_MATCH(long, unsigned long long, "b64", "l")
BANKSHOT_MATCH(unsigned long, unsigned long long, "b64", "l")
BANKSHOT_MATCH(long long, unsigned long long, "b64", "l")
BANKSHOT_MATCH(unsigned long long, unsigned long long, "b64", "l")
BANKSHOT_MATCH(double, unsigned long long, "b64", "l")
#undef BANKSHOT_MATCH

#define BANKSHOT_REDUCE(name, type, op)                                                                                \
    BANKSHOT_DEVICE type name(unsigned int mask, type value)                                                           \
    {                                                                                                                  \
        type result;                                                                                                   \
        asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));                          \
        return result;                                                                                                 \
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
BANKSHOT_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
BANKSHOT_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
BANKSHOT_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
BANKSHOT_REDUCE(__reduce_add_sync, int, "add.s32")
BANKSHOT_REDUCE(__reduce_min_sync, int, "min.s32")
BANKSHOT_REDUCE(__reduce_max_sync, int, "max.s32")
BANKSHOT_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
BANKSHOT_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
BANKSHOT_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#endif
#undef BANKSHOT_REDUCE

// ---- atomics: relaxed, as CUDA's. Those of a scope say it themselves: clang's own are of the device, whatever is asked.

#define BANKSHOT_ATOMIC(name, type, operation)                                                                         \
    BANKSHOT_DEVICE type name(type *address, type value)                                                               \
    {                                                                                                                  \
        return operation(address, value, __ATOMIC_RELAXED);                                                            \
    }
// Of one whose value changes nothing clang makes a load, and of an exchange whose answer nobody wants a store. Neither
// reads and writes at once, which orders more.
#define BANKSHOT_ATOMIC_KEPT(name, type, letter, operation, nothing)                                                   \
    BANKSHOT_DEVICE type name(type *address, type value)                                                               \
    {                                                                                                                  \
        if (__builtin_constant_p(value) && value == (type)(nothing))                                                   \
            asm("" : "+" letter(value));                                                                               \
        type old = operation(address, value, __ATOMIC_RELAXED);                                                        \
        asm volatile("" ::letter(old));                                                                                \
        return old;                                                                                                    \
    }
#define BANKSHOT_ATOMIC_INTEGERS(name, operation, nothing)                                                             \
    BANKSHOT_ATOMIC_KEPT(name, int, "r", operation, nothing)                                                           \
    BANKSHOT_ATOMIC_KEPT(name, unsigned int, "r", operation, nothing)                                                  \
    BANKSHOT_ATOMIC_KEPT(name, unsigned long long, "l", operation, nothing)
BANKSHOT_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add, 0)
BANKSHOT_ATOMIC_KEPT(atomicSub, int, "r", __atomic_fetch_sub, 0)
BANKSHOT_ATOMIC_KEPT(atomicSub, unsigned int, "r", __atomic_fetch_sub, 0)
BANKSHOT_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n, 0)
BANKSHOT_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and, -1)
BANKSHOT_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or, 0)
BANKSHOT_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor, 0)
BANKSHOT_ATOMIC_KEPT(atomicMin, int, "r", __atomic_fetch_min, 0x7fffffff)
BANKSHOT_ATOMIC_KEPT(atomicMin, unsigned int, "r", __atomic_fetch_min, -1)
BANKSHOT_ATOMIC_KEPT(atomicMin, long long, "l", __atomic_fetch_min, 0x7fffffffffffffff)
BANKSHOT_ATOMIC_KEPT(atomicMin, unsigned long long, "l", __atomic_fetch_min, -1)
BANKSHOT_ATOMIC_KEPT(atomicMax, int, "r", __atomic_fetch_max, 0x80000000)
BANKSHOT_ATOMIC_KEPT(atomicMax, unsigned int, "r", __atomic_fetch_max, 0)
BANKSHOT_ATOMIC_KEPT(atomicMax, long long, "l", __atomic_fetch_max, 0x8000000000000000)
BANKSHOT_ATOMIC_KEPT(atomicMax, unsigned long long, "l", __atomic_fetch_max, 0)
#define BANKSHOT_ADD_FLOAT(address, value, order) __nvvm_atom_add_gen_f(address, value)
#define BANKSHOT_ADD_DOUBLE(address, value, order) __nvvm_atom_add_gen_d(address, value)
BANKSHOT_ATOMIC(atomicAdd, float, BANKSHOT_ADD_FLOAT)
BANKSHOT_ATOMIC(atomicAdd, double, BANKSHOT_ADD_DOUBLE)
#define BANKSHOT_EXCH_FLOAT(address, value, order)                                                                     \
    __builtin_bit_cast(float, atomicExch((unsigned int *)(address), __builtin_bit_cast(unsigned int, value)))
BANKSHOT_ATOMIC(atomicExch, float, BANKSHOT_EXCH_FLOAT)
#define BANKSHOT_INC(address, value, order) __nvvm_atom_inc_gen_ui(address, value)
#define BANKSHOT_DEC(address, value, order) __nvvm_atom_dec_gen_ui(address, value)
BANKSHOT_ATOMIC(atomicInc, unsigned int, BANKSHOT_INC)
BANKSHOT_ATOMIC(atomicDec, unsigned int, BANKSHOT_DEC)
#undef BANKSHOT_ATOMIC
#undef BANKSHOT_ATOMIC_KEPT
#undef BANKSHOT_ATOMIC_INTEGERS

#define BANKSHOT_ATOMIC_OF(scope, name, type, operation, letter, sign)                                                 \
    BANKSHOT_DEVICE type name(type *address, type value)                                                               \
    {                                                                                                                  \
        type old;                                                                                                      \
        asm volatile("atom." scope "." operation " %0, [%1], %2;"                                                      \
                     : "=" letter(old) : "l"(address), letter(sign value) : "memory");                                 \
        return old;                                                                                                    \
    }
#define BANKSHOT_ATOMIC_BITS(scope, name, operation)                                                                   \
    BANKSHOT_ATOMIC_OF(scope, name, int, operation ".b32", "r", )                                                      \
    BANKSHOT_ATOMIC_OF(scope, name, unsigned int, operation ".b32", "r", )                                             \
    BANKSHOT_ATOMIC_OF(scope, name, unsigned long long, operation ".b64", "l", )
#define BANKSHOT_ATOMIC_ENDS(scope, name, operation)                                                                   \
    BANKSHOT_ATOMIC_OF(scope, name, int, operation ".s32", "r", )                                                      \
    BANKSHOT_ATOMIC_OF(scope, name, unsigned int, operation ".u32", "r", )                                             \
    BANKSHOT_ATOMIC_OF(scope, name, long long, operation ".s64", "l", )                                                \
    BANKSHOT_ATOMIC_OF(scope, name, unsigned long long, operation ".u64", "l", )
#define BANKSHOT_ATOMICS(suffix, scope)                                                                                \
    BANKSHOT_ATOMIC_OF(scope, atomicAdd##suffix, int, "add.u32", "r", )                                                \
    BANKSHOT_ATOMIC_OF(scope, atomicAdd##suffix, unsigned int, "add.u32", "r", )                                       \
    BANKSHOT_ATOMIC_OF(scope, atomicAdd##suffix, unsigned long long, "add.u64", "l", )                                 \
    BANKSHOT_ATOMIC_OF(scope, atomicAdd##suffix, float, "add.f32", "f", )                                              \
    BANKSHOT_ATOMIC_OF(scope, atomicAdd##suffix, double, "add.f64", "d", )                                             \
    BANKSHOT_ATOMIC_OF(scope, atomicSub##suffix, int, "add.u32", "r", 0u - (unsigned int))                             \
    BANKSHOT_ATOMIC_OF(scope, atomicSub##suffix, unsigned int, "add.u32", "r", 0u -)                                   \
    BANKSHOT_ATOMIC_BITS(scope, atomicExch##suffix, "exch")                                                            \
    BANKSHOT_ATOMIC_OF(scope, atomicExch##suffix, float, "exch.b32", "f", )                                            \
    BANKSHOT_ATOMIC_BITS(scope, atomicAnd##suffix, "and")                                                              \
    BANKSHOT_ATOMIC_BITS(scope, atomicOr##suffix, "or")                                                                \
    BANKSHOT_ATOMIC_BITS(scope, atomicXor##suffix, "xor")                                                              \
    BANKSHOT_ATOMIC_ENDS(scope, atomicMin##suffix, "min")                                                              \
    BANKSHOT_ATOMIC_ENDS(scope, atomicMax##suffix, "max")                                                              \
    BANKSHOT_ATOMIC_OF(scope, atomicInc##suffix, unsigned int, "inc.u32", "r", )                                       \
    BANKSHOT_ATOMIC_OF(scope, atomicDec##suffix, unsigned int, "dec.u32", "r", )
BANKSHOT_ATOMICS(_block, "cta")
BANKSHOT_ATOMICS(_system, "sys")
#undef BANKSHOT_ATOMICS
#undef BANKSHOT_ATOMIC_ENDS
#undef BANKSHOT_ATOMIC_BITS
#undef BANKSHOT_ATOMIC_OF

#define BANKSHOT_CAS(type)                                                                                             \
    BANKSHOT_DEVICE type atomicCAS(type *address, type expected, type value)                                           \
    {                                                                                                                  \
        __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);             \
        return expected;                                                                                               \
    }
BANKSHOT_CAS(int)
BANKSHOT_CAS(unsigned int)
BANKSHOT_CAS(unsigned long long)
#undef BANKSHOT_CAS
#define BANKSHOT_CAS(name, scope, type, bits, letter)                                                                  \
    BANKSHOT_DEVICE type name(type *address, type expected, type value)                                                \
    {                                                                                                                  \
        type old;                                                                                                      \
        asm volatile("atom" scope ".cas." bits " %0, [%1], %2, %3;" : "=" letter(old)                                  \
                     : "l"(address), letter(expected), letter(value) : "memory");                                      \
        return old;                                                                                                    \
    }
#define BANKSHOT_CAS_OF(name, scope)                                                                                   \
    BANKSHOT_CAS(name, scope, int, "b32", "r")                                                                         \
    BANKSHOT_CAS(name, scope, unsigned int, "b32", "r")                                                                \
    BANKSHOT_CAS(name, scope, unsigned long long, "b64", "l")                                                          \
    BANKSHOT_CAS(name, scope, unsigned short, "b16", "h")
BANKSHOT_CAS(atomicCAS, "", unsigned short, "b16", "h") // clang knows it of two bytes from 17 on
BANKSHOT_CAS_OF(atomicCAS_block, ".cta")
BANKSHOT_CAS_OF(atomicCAS_system, ".sys")
#undef BANKSHOT_CAS_OF
#undef BANKSHOT_CAS

// ---- address spaces

BANKSHOT_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (unsigned int)(size_t)(const __attribute__((address_space(3))) void *)p;
}
BANKSHOT_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(const __attribute__((address_space(1))) void *)p;
}
BANKSHOT_DEVICE void *__cvta_shared_to_generic(size_t p)
{
    return (void *)(__attribute__((address_space(3))) void *)p;
}
BANKSHOT_DEVICE void *__cvta_global_to_generic(size_t p)
{
    return (void *)(__attribute__((address_space(1))) void *)p;
}
#define BANKSHOT_IS_IN(name, space)                                                                                    \
    BANKSHOT_DEVICE unsigned int name(const void *p)                                                                   \
    {                                                                                                                  \
        unsigned int result;                                                                                           \
        asm("{ .reg .pred p;\n\tisspacep." space " p, %1;\n\tselp.u32 %0, 1, 0, p; }" : "=r"(result) : "l"(p));        \
        return result;                                                                                                 \
    }
BANKSHOT_IS_IN(__isShared, "shared")
BANKSHOT_IS_IN(__isGlobal, "global")
#undef BANKSHOT_IS_IN

// ---- loads and stores with a cache hint, by the size of what is moved

#define BANKSHOT_LOAD_HINT(name, op, ...)                                                                              \
    template <class T> BANKSHOT_DEVICE T name(const T *p)                                                              \
    {                                                                                                                  \
        size_t global = __cvta_generic_to_global(p);                                                                   \
        if constexpr (sizeof(T) == 1) {                                                                                \
            unsigned int v;                                                                                            \
            asm volatile("ld.global." op ".u8 %0, [%1];" : "=r"(v) : "l"(global) __VA_ARGS__);                         \
            return __builtin_bit_cast(T, (unsigned char)v);                                                            \
        } else if constexpr (sizeof(T) == 2) {                                                                         \
            unsigned short v;                                                                                          \
            asm volatile("ld.global." op ".u16 %0, [%1];" : "=h"(v) : "l"(global) __VA_ARGS__);                        \
            return __builtin_bit_cast(T, v);                                                                           \
        } else if constexpr (sizeof(T) == 4) {                                                                         \
            unsigned int v;                                                                                            \
            asm volatile("ld.global." op ".u32 %0, [%1];" : "=r"(v) : "l"(global) __VA_ARGS__);                        \
            return __builtin_bit_cast(T, v);                                                                           \
        } else if constexpr (sizeof(T) == 8) {                                                                         \
            uint2 v;                                                                                                   \
            asm volatile("ld.global." op ".v2.u32 {%0, %1}, [%2];"                                                     \
                         : "=r"(v.x), "=r"(v.y) : "l"(global) __VA_ARGS__);                                            \
            return __builtin_bit_cast(T, v);                                                                           \
        } else {                                                                                                       \
            static_assert(sizeof(T) == 16, "1, 2, 4, 8 or 16 bytes");                                                  \
            uint4 v;                                                                                                   \
            asm volatile("ld.global." op ".v4.u32 {%0, %1, %2, %3}, [%4];"                                             \
                         : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(global) __VA_ARGS__);                      \
            return __builtin_bit_cast(T, v);                                                                           \
        }                                                                                                              \
    }
BANKSHOT_LOAD_HINT(__ldg, "nc")
BANKSHOT_LOAD_HINT(__ldca, "ca", : "memory")
BANKSHOT_LOAD_HINT(__ldcg, "cg", : "memory")
BANKSHOT_LOAD_HINT(__ldcs, "cs", : "memory")
BANKSHOT_LOAD_HINT(__ldlu, "lu", : "memory")
BANKSHOT_LOAD_HINT(__ldcv, "cv", : "memory")
#undef BANKSHOT_LOAD_HINT

#define BANKSHOT_STORE_HINT(name, op)                                                                                  \
    template <class T> BANKSHOT_DEVICE void name(T *p, typename bankshot_same<T>::type value)                          \
    {                                                                                                                  \
        size_t global = __cvta_generic_to_global(p);                                                                   \
        if constexpr (sizeof(T) == 1) {                                                                                \
            unsigned int v = __builtin_bit_cast(unsigned char, value);                                                 \
            asm volatile("st.global." op ".u8 [%0], %1;" ::"l"(global), "r"(v) : "memory");                            \
        } else if constexpr (sizeof(T) == 2) {                                                                         \
            asm volatile("st.global." op ".u16 [%0], %1;" ::"l"(global),                                               \
                         "h"(__builtin_bit_cast(unsigned short, value)) : "memory");                                   \
        } else if constexpr (sizeof(T) == 4) {                                                                         \
            asm volatile("st.global." op ".u32 [%0], %1;" ::"l"(global),                                               \
                         "r"(__builtin_bit_cast(unsigned int, value)) : "memory");                                     \
        } else if constexpr (sizeof(T) == 8) {                                                                         \
            uint2 v = __builtin_bit_cast(uint2, value);                                                                \
            asm volatile("st.global." op ".v2.u32 [%0], {%1, %2};" ::"l"(global), "r"(v.x), "r"(v.y) : "memory");      \
        } else {                                                                                                       \
            static_assert(sizeof(T) == 16, "1, 2, 4, 8 or 16 bytes");                                                  \
            uint4 v = __builtin_bit_cast(uint4, value);                                                                \
            asm volatile("st.global." op ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(global), "r"(v.x), "r"(v.y),          \
                         "r"(v.z), "r"(v.w) : "memory");                                                               \
        }                                                                                                              \
    }
BANKSHOT_STORE_HINT(__stwb, "wb")
BANKSHOT_STORE_HINT(__stcg, "cg")
BANKSHOT_STORE_HINT(__stcs, "cs")
BANKSHOT_STORE_HINT(__stwt, "wt")
#undef BANKSHOT_STORE_HINT

// ---- clocks

#define BANKSHOT_CLOCK(name, type, read, out, mov)                                                                     \
    BANKSHOT_DEVICE type name()                                                                                        \
    {                                                                                                                  \
        read t;                                                                                                        \
        asm volatile(mov : out(t)::"memory");                                                                          \
        return t;                                                                                                      \
    }
BANKSHOT_CLOCK(clock64, long long, long long, "=l", "mov.u64 %0, %%clock64;")
BANKSHOT_CLOCK(clock, long, int, "=r", "mov.u32 %0, %%clock;")
BANKSHOT_CLOCK(globaltimer, unsigned long long, unsigned long long, "=l", "mov.u64 %0, %%globaltimer;")
#undef BANKSHOT_CLOCK

// Each number of a vector by itself, as CUDA promises no more.
#define BANKSHOT_ADD_VECTOR(name)                                                                                      \
    BANKSHOT_DEVICE float2 name(float2 *to, float2 v) { return float2{name(&to->x, v.x), name(&to->y, v.y)}; }         \
    BANKSHOT_DEVICE float4 name(float4 *to, float4 v)                                                                  \
    {                                                                                                                  \
        return float4{name(&to->x, v.x), name(&to->y, v.y), name(&to->z, v.z), name(&to->w, v.w)};                     \
    }
BANKSHOT_ADD_VECTOR(atomicAdd)
BANKSHOT_ADD_VECTOR(atomicAdd_block)
BANKSHOT_ADD_VECTOR(atomicAdd_system)
#undef BANKSHOT_ADD_VECTOR

#include <bankshot_integer.h>
#include <bankshot_simd.h>
#include <bankshot_math.h>
#include <bankshot_texture.h>
#include <bankshot_host.h>

#endif
