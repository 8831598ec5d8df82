// nvcuda::wmma for clang: products of matrices by tensor cores, a fragment to a warp. Halves, bfloat16, bytes, TF32 and
// doubles; no 4-bit or single bits (wmma::experimental), nor sums whose C is of another type than D.
#ifndef BANKSHOT_MMA_H
#define BANKSHOT_MMA_H
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Lists of n registers: in the text, and as operands called p0, p1 …
#define BANKSHOT_LIST_1(p) "%[" #p "0]"
#define BANKSHOT_LIST_2(p) BANKSHOT_LIST_1(p) ", %[" #p "1]"
#define BANKSHOT_LIST_4(p) BANKSHOT_LIST_2(p) ", %[" #p "2], %[" #p "3]"
#define BANKSHOT_LIST_8(p) BANKSHOT_LIST_4(p) ", %[" #p "4], %[" #p "5], %[" #p "6], %[" #p "7]"
#define BANKSHOT_USED_1(c, p) [p##0] c(p[0])
#define BANKSHOT_USED_2(c, p) BANKSHOT_USED_1(c, p), [p##1] c(p[1])
#define BANKSHOT_USED_4(c, p) BANKSHOT_USED_2(c, p), [p##2] c(p[2]), [p##3] c(p[3])
#define BANKSHOT_USED_8(c, p)                                                                                          \
    BANKSHOT_USED_4(c, p), [p##4] c(p[4]), [p##5] c(p[5]), [p##6] c(p[6]), [p##7] c(p[7])
#define BANKSHOT_SHAPE(m, n, k) "m" #m "n" #n "k" #k

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <class T, int Count> struct bankshot_fragment {
    static constexpr int num_elements = Count, num_storage_elements = Count;
    typedef T element_type, storage_element_type;
    T x[Count];
};
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;

template <class T, int Count, class V> BANKSHOT_DEVICE void fill_fragment(bankshot_fragment<T, Count> &f, V value)
{
    for (int i = 0; i < Count; i++)
        f.x[i] = (T)value;
}
BANKSHOT_DEVICE float __float_to_tf32(float x)
{
    float y;
    asm("{\n\t.reg .b32 t;\n\tcvt.rna.tf32.f32 t, %1;\n\tmov.b32 %0, t;\n\t}" : "=f"(y) : "f"(x));
    return y;
}

// An operand (a or b) of T in memory, E in the fragment: `count` of them a lane, `r` registers of type R, constraint c
#define BANKSHOT_OPERAND_AS(u, m, n, k, T, E, word, r, R, c, layout)                                              \
    BANKSHOT_DEVICE void load_matrix_sync(fragment<matrix_##u, m, n, k, T, layout##_major> &f, const E *p, unsigned ld) \
    {                                                                                                                  \
        R v[r];                                                                                                        \
        asm volatile("wmma.load." #u ".sync.aligned." #layout "." BANKSHOT_SHAPE(m, n, k) "." word                     \
                     " {" BANKSHOT_LIST_##r(v) "}, [%[p]], %[ld];"                                                     \
                     : BANKSHOT_USED_##r("=" c, v) : [p] "l"(p), [ld] "r"(ld) : "memory");                             \
        __builtin_memcpy(f.x, v, sizeof f.x);                                                                          \
    }
#define BANKSHOT_OPERAND(u, m, n, k, T, E, word, r, R, c)                                                              \
    template <class Layout>                                                                                            \
    class fragment<matrix_##u, m, n, k, T, Layout> : public bankshot_fragment<E, r * sizeof(R) / sizeof(E)> {};        \
    BANKSHOT_OPERAND_AS(u, m, n, k, T, E, word, r, R, c, row)                                                     \
    BANKSHOT_OPERAND_AS(u, m, n, k, T, E, word, r, R, c, col)

#define BANKSHOT_SUM_MOVED(m, n, k, T, word, r, R, c, layout)                                                          \
    BANKSHOT_DEVICE void bankshot_load_##layout(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ld)         \
    {                                                                                                                  \
        R v[r];                                                                                                        \
        asm volatile("wmma.load.c.sync.aligned." #layout "." BANKSHOT_SHAPE(m, n, k) "." word                          \
                     " {" BANKSHOT_LIST_##r(v) "}, [%[p]], %[ld];"                                                     \
                     : BANKSHOT_USED_##r("=" c, v) : [p] "l"(p), [ld] "r"(ld) : "memory");                             \
        __builtin_memcpy(f.x, v, sizeof f.x);                                                                          \
    }                                                                                                                  \
    BANKSHOT_DEVICE void bankshot_store_##layout(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ld)        \
    {                                                                                                                  \
        R v[r];                                                                                                        \
        __builtin_memcpy(v, f.x, sizeof f.x);                                                                          \
        asm volatile("wmma.store.d.sync.aligned." #layout "." BANKSHOT_SHAPE(m, n, k) "." word                         \
                     " [%[p]], {" BANKSHOT_LIST_##r(v) "}, %[ld];" ::BANKSHOT_USED_##r(c, v), [p] "l"(p), [ld] "r"(ld) \
                     : "memory");                                                                                      \
    }
#define BANKSHOT_SUM(m, n, k, T, word, r, R, c)                                                                        \
    template <>                                                                                                        \
    class fragment<accumulator, m, n, k, T> : public bankshot_fragment<T, r * sizeof(R) / sizeof(T)> {};               \
    BANKSHOT_SUM_MOVED(m, n, k, T, word, r, R, c, row)                                                                 \
    BANKSHOT_SUM_MOVED(m, n, k, T, word, r, R, c, col)                                                                 \
    BANKSHOT_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ld, layout_t how) \
    {                                                                                                                  \
        how == mem_row_major ? bankshot_load_row(f, p, ld) : bankshot_load_col(f, p, ld);                              \
    }                                                                                                                  \
    BANKSHOT_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ld, layout_t how) \
    {                                                                                                                  \
        how == mem_row_major ? bankshot_store_row(p, f, ld) : bankshot_store_col(p, f, ld);                            \
    }

// d = a * b + c
#define BANKSHOT_PRODUCT_OF(m, n, k, T, S, words, sat, ra, rb, rc, R, c, la, lb)                                       \
    BANKSHOT_DEVICE void bankshot_product##sat(                                                                        \
        fragment<accumulator, m, n, k, S> &d, const fragment<matrix_a, m, n, k, T, la##_major> &a,                     \
        const fragment<matrix_b, m, n, k, T, lb##_major> &b, const fragment<accumulator, m, n, k, S> &added)           \
    {                                                                                                                  \
        R va[ra], vb[rb], vc[rc];                                                                                      \
        __builtin_memcpy(va, a.x, sizeof a.x);                                                                         \
        __builtin_memcpy(vb, b.x, sizeof b.x);                                                                         \
        __builtin_memcpy(vc, added.x, sizeof added.x);                                                                 \
        asm volatile("wmma.mma.sync.aligned." #la "." #lb "." BANKSHOT_SHAPE(m, n, k) words                            \
                     " {" BANKSHOT_LIST_##rc(vc) "}, {" BANKSHOT_LIST_##ra(va) "}, {" BANKSHOT_LIST_##rb(vb)           \
                     "}, {" BANKSHOT_LIST_##rc(vc) "};"                                                                \
                     : BANKSHOT_USED_##rc("+" c, vc) : BANKSHOT_USED_##ra(c, va), BANKSHOT_USED_##rb(c, vb));          \
        __builtin_memcpy(d.x, vc, sizeof d.x);                                                                         \
    }
#define BANKSHOT_PRODUCT(m, n, k, T, S, words, sat, ra, rb, rc, R, c)                                                  \
    BANKSHOT_PRODUCT_OF(m, n, k, T, S, words, sat, ra, rb, rc, R, c, row, row)                                         \
    BANKSHOT_PRODUCT_OF(m, n, k, T, S, words, sat, ra, rb, rc, R, c, row, col)                                         \
    BANKSHOT_PRODUCT_OF(m, n, k, T, S, words, sat, ra, rb, rc, R, c, col, row)                                         \
    BANKSHOT_PRODUCT_OF(m, n, k, T, S, words, sat, ra, rb, rc, R, c, col, col)

#define BANKSHOT_BYTES(m, n, T, word, ra, rb)                                                                          \
    BANKSHOT_OPERAND(a, m, n, 16, T, T, word, ra, unsigned, "r")                                                       \
    BANKSHOT_OPERAND(b, m, n, 16, T, T, word, rb, unsigned, "r")                                                       \
    BANKSHOT_PRODUCT(m, n, 16, T, int, ".s32." word "." word ".s32", , ra, rb, 8, unsigned, "r")                       \
    BANKSHOT_PRODUCT(m, n, 16, T, int, ".s32." word "." word ".s32.satfinite", _satfinite, ra, rb, 8, unsigned, "r")
// All that a shape of k = 16 has: registers of a and b, of bfloat16 and of bytes
#define BANKSHOT_SIXTEEN(m, n, bfloats_a, bfloats_b, bytes_a, bytes_b)                                                 \
    BANKSHOT_SUM(m, n, 16, float, "f32", 8, unsigned, "r")                                                             \
    BANKSHOT_SUM(m, n, 16, __half, "f16", 4, unsigned, "r")                                                            \
    BANKSHOT_SUM(m, n, 16, int, "s32", 8, unsigned, "r")                                                               \
    BANKSHOT_OPERAND(a, m, n, 16, __half, __half, "f16", 8, unsigned, "r")                                             \
    BANKSHOT_OPERAND(b, m, n, 16, __half, __half, "f16", 8, unsigned, "r")                                             \
    BANKSHOT_PRODUCT(m, n, 16, __half, float, ".f32.f32", , 8, 8, 8, unsigned, "r")                                    \
    BANKSHOT_PRODUCT(m, n, 16, __half, __half, ".f16.f16", , 8, 8, 4, unsigned, "r")                                   \
    BANKSHOT_OPERAND(a, m, n, 16, __nv_bfloat16, __nv_bfloat16, "bf16", bfloats_a, unsigned, "r")                      \
    BANKSHOT_OPERAND(b, m, n, 16, __nv_bfloat16, __nv_bfloat16, "bf16", bfloats_b, unsigned, "r")                      \
    BANKSHOT_PRODUCT(m, n, 16, __nv_bfloat16, float, ".f32.bf16.bf16.f32", , bfloats_a, bfloats_b, 8, unsigned, "r")   \
    BANKSHOT_BYTES(m, n, signed char, "s8", bytes_a, bytes_b)                                                          \
    BANKSHOT_BYTES(m, n, unsigned char, "u8", bytes_a, bytes_b)
BANKSHOT_SIXTEEN(16, 16, 4, 4, 2, 2)
BANKSHOT_SIXTEEN(32, 8, 8, 2, 4, 1)
BANKSHOT_SIXTEEN(8, 32, 2, 8, 1, 4)

BANKSHOT_SUM(16, 16, 8, float, "f32", 8, unsigned, "r")
BANKSHOT_OPERAND(a, 16, 16, 8, precision::tf32, float, "tf32", 4, unsigned, "r")
BANKSHOT_OPERAND(b, 16, 16, 8, precision::tf32, float, "tf32", 4, unsigned, "r")
BANKSHOT_PRODUCT(16, 16, 8, precision::tf32, float, ".f32.tf32.tf32.f32", , 4, 4, 8, unsigned, "r")

BANKSHOT_SUM(8, 8, 4, double, "f64", 2, double, "d")
BANKSHOT_OPERAND(a, 8, 8, 4, double, double, "f64", 1, double, "d")
BANKSHOT_OPERAND(b, 8, 8, 4, double, double, "f64", 1, double, "d")
BANKSHOT_PRODUCT(8, 8, 4, double, double, ".f64.f64.f64.f64", , 1, 1, 2, double, "d")

template <class D, class A, class B> BANKSHOT_DEVICE void mma_sync(D &d, const A &a, const B &b, const D &c)
{
    bankshot_product(d, a, b, c);
}
template <class D, class A, class B>
BANKSHOT_DEVICE void mma_sync(D &d, const A &a, const B &b, const D &c, bool satfinite)
{
    satfinite ? bankshot_product_satfinite(d, a, b, c) : bankshot_product(d, a, b, c);
}

#undef BANKSHOT_OPERAND_AS
#undef BANKSHOT_OPERAND
#undef BANKSHOT_SUM_MOVED
#undef BANKSHOT_SUM
#undef BANKSHOT_PRODUCT_OF
#undef BANKSHOT_PRODUCT
#undef BANKSHOT_BYTES
#undef BANKSHOT_SIXTEEN

} // namespace wmma
} // namespace nvcuda

#undef BANKSHOT_LIST_1
#undef BANKSHOT_LIST_2
#undef BANKSHOT_LIST_4
#undef BANKSHOT_LIST_8
#undef BANKSHOT_USED_1
#undef BANKSHOT_USED_2
#undef BANKSHOT_USED_4
#undef BANKSHOT_USED_8
#undef BANKSHOT_SHAPE
#endif
