// nvcuda::wmma in every shape and type, for one warp: what the lab's mma.h gives clang must mean what the CUDA Toolkit's
// gives nvcc. Small whole numbers, so that no sum is rounded.
#include <mma.h>
using namespace nvcuda;

__device__ void put(int *&out, int value)
{
    *out = value;
    out += blockDim.x;
}

template <class E> struct element {
    __device__ static E of(int x) { return (E)(float)x; }
};
template <> struct element<int> {
    __device__ static int of(int x) { return x; }
};

// One product: operands of type T, E in memory; sums of S
template <int M, int N, int K, class T, class E, class S, class LayoutA, class LayoutB>
__device__ void product(int *&out, const int *in, unsigned char *room, int smallest)
{
    E *a = (E *)room, *b = (E *)(room + 4096);
    S *c = (S *)(room + 8192);
    for (int i = threadIdx.x; i < M * K; i += 32)
        a[i] = element<E>::of(in[i % 64] % 9 + smallest);
    for (int i = threadIdx.x; i < K * N; i += 32)
        b[i] = element<E>::of(in[(i * 7 + 3) % 64] % 7 + smallest);
    for (int i = threadIdx.x; i < M * N; i += 32)
        c[i] = element<S>::of(i % 13 - 6);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, S> fc, fd;
    constexpr bool a_rows = sizeof(LayoutA *) && __is_same(LayoutA, wmma::row_major);
    constexpr bool b_rows = __is_same(LayoutB, wmma::row_major);
    wmma::load_matrix_sync(fa, a, a_rows ? K : M);
    wmma::load_matrix_sync(fb, b, b_rows ? N : K);
    wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
    wmma::fill_fragment(fd, 2.0f);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] + fd.x[i];
    wmma::mma_sync(fd, fa, fb, fc);
    __syncwarp();
    wmma::store_matrix_sync(c, fd, M, wmma::mem_col_major);
    __syncwarp();
    int sum = fa.num_elements * 1000 + fb.num_elements * 100 + fc.num_elements;
    for (int i = threadIdx.x; i < M * N; i += 32)
        sum = sum * 31 + (int)(float)c[i];
    put(out, sum);
    __syncwarp();
}

template <class T, class S> __device__ void shapes(int *&out, const int *in, unsigned char *room, int smallest)
{
    product<16, 16, 16, T, T, S, wmma::row_major, wmma::col_major>(out, in, room, smallest);
    product<16, 16, 16, T, T, S, wmma::col_major, wmma::row_major>(out, in, room, smallest);
    product<32, 8, 16, T, T, S, wmma::row_major, wmma::row_major>(out, in, room, smallest);
    product<8, 32, 16, T, T, S, wmma::col_major, wmma::col_major>(out, in, room, smallest);
}

__global__ void products(int *out, const int *in)
{
    __shared__ __align__(32) unsigned char room[12288];
    out += threadIdx.x;
    shapes<__half, float>(out, in, room, -4);
    shapes<__half, __half>(out, in, room, -1);
    shapes<__nv_bfloat16, float>(out, in, room, -4);
    shapes<signed char, int>(out, in, room, -4);
    shapes<unsigned char, int>(out, in, room, 0);
    product<16, 16, 8, wmma::precision::tf32, float, float, wmma::row_major, wmma::col_major>(out, in, room, -4);
    product<8, 8, 4, double, double, double, wmma::row_major, wmma::col_major>(out, in, room, -4);
    put(out, __float_as_int(wmma::__float_to_tf32(in[threadIdx.x] * 1.2345678f)));
}
