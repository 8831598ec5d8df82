// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: chunk q of row r is kept at (q ^ r) & 4 | (q + r) & 3, the product of two small groups' tables, one to one in both; loops of the inner step are folds over integral constants whose lambdas take every index at compile time
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

// Eight halves of a row, of which the first `have` exist; the others are 0.
__device__ uint4 load8(const __half *from, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        return have > 0 ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
    unsigned word[4] = {};
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (j < have)
            word[j / 2] |= (unsigned)((const unsigned short *)from)[j] << j % 2 * 16;
    return make_uint4(word[0], word[1], word[2], word[3]);
}

// Macros, so that the lab shows the lines that use them.
//
// Four 8 x 8 matrices. Lane l gives the address of one row, 16 bytes: row l % 8 of matrix l / 8.
// It gets two neighbours of row l / 4 of each matrix: columns l % 4 * 2 and the next.
#define LDMATRIX4(to, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])       \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// Two matrices, rows from lanes 0 to 15, and each is transposed on the way: a lane gets two
// neighbours of column l / 4.
#define LDMATRIX2_TRANS(to, row)                                                    \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"   \
                 : "=r"((to)[0]), "=r"((to)[1])                                     \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// sum += x y: 16 x 16 halves times 16 x 8. The quarters of x come in this order: upper left,
// lower left, upper right, lower right. Of y the upper half comes first.
#define MMA(sum, x, y)                                                              \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "               \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"  \
                 : "+f"((sum)[0]), "+f"((sum)[1]), "+f"((sum)[2]), "+f"((sum)[3])   \
                 : "r"((x)[0]), "r"((x)[1]), "r"((x)[2]), "r"((x)[3]), "r"((y)[0]), "r"((y)[1]))

// Two neighbours of a row, of which the first `have` exist.
__device__ void store2(float *to, float first, float second, int have, bool aligned)
{
    if (aligned && have > 0)  // rows are multiples of 8 bytes: both or none
        *(float2 *)to = make_float2(first, second);
    if (!aligned && have > 0)
        to[0] = first;
    if (!aligned && have > 1)
        to[1] = second;
}

template <int I> struct Int { static constexpr int value = I; };
template <int... I> struct Ints {};
template <int N, int... I> struct Count : Count<N - 1, N - 1, I...> {};
template <int... I> struct Count<0, I...> { using type = Ints<I...>; };

template <class F, int... I>
__device__ __forceinline__ void each(Ints<I...>, F &&f) { (f(Int<I>{}), ...); }
template <int N, class F>
__device__ __forceinline__ void times(F &&f) { each(typename Count<N>::type{}, f); }

// For a fixed q, eight rows that follow one another have eight places; for a fixed r, so have the chunks.
__host__ __device__ constexpr int place(int r, int q) { return ((q ^ r) & 4) | ((q + r) & 3); }

constexpr bool fair()
{
    for (int i = 0; i < 8; i++) {
        int by_row = 0, by_chunk = 0;
        for (int j = 0; j < 8; j++)
            by_row |= 1 << place(j, i), by_chunk |= 1 << place(i, j);
        if (by_row != 255 || by_chunk != 255)
            return false;
    }
    return true;
}
static_assert(fair(), "a Latin square of eight");

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ uint4 a_tile[128][8], b_tile[64][8];

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp >> 1) * 64, x0 = (warp & 1) * 32;
    const int r8 = id >> 3, q8 = id & 7;  // of the fill: rows r8, r8 + 16 and so on, all alike modulo 8
    const int to = place(r8, q8);
    float sum[4][4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int r = r8 + 16 * j, row = row0 + r, i = k0 + q8 * 8;
            a_tile[r][to] = load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = r8 + 16 * j, i = k0 + r, column = column0 + q8 * 8;
            b_tile[r][to] = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        __syncthreads();

        times<4>([&](auto step) {
            constexpr int s = decltype(step)::value;
            unsigned x[4][4], y[4][2];
            const int a_place = place(lane & 7, s * 2 + (lane >> 4));
            times<4>([&x, a_place, y0, lane](auto p) {
                constexpr int P = decltype(p)::value;
                LDMATRIX4(x[P], &a_tile[y0 + P * 16 + (lane & 15)][a_place]);
            });
            times<4>([&y, warp, lane](auto p) {
                constexpr int P = decltype(p)::value;
                LDMATRIX2_TRANS(y[P], &b_tile[s * 16 + (lane & 15)][place(lane & 7, (warp & 1) * 4 + P)]);
            });
            times<16>([&x, &y, &sum](auto e) {
                constexpr int U = decltype(e)::value / 4, V = decltype(e)::value % 4;
                MMA(sum[U][V], x[U], y[V]);
            });
        });
        __syncthreads();
    }

    times<4>([&](auto u) {
        times<4>([&](auto v) {
            constexpr int U = decltype(u)::value, V = decltype(v)::value;
            const int row = row0 + y0 + U * 16 + (lane >> 2), column = column0 + x0 + V * 8 + (lane & 3) * 2;
            store2(c + row * n + column, sum[U][V][0], sum[U][V][1], row < m ? n - column : 0, n % 2 == 0);
            store2(c + (row + 8) * n + column, sum[U][V][2], sum[U][V][3], row + 8 < m ? n - column : 0, n % 2 == 0);
        });
    });
}
