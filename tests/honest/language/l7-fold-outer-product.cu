// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 64 x 64 a block, 4 x 4 a thread, rows 16 apart; tiles behind a strided view, the outer product, the fills and the stores are folds over packs of integers, so every index of the sums is a constant
LAUNCH(16, 16, 64, 64)

template <int... I> struct Ints {};
template <int N, int... I> struct Count : Count<N - 1, N - 1, I...> {};
template <int... I> struct Count<0, I...> { using type = Ints<I...>; };
template <int N> using Upto = typename Count<N>::type;

template <int... I, class F>
__device__ __forceinline__ void each(Ints<I...>, F f) { (f(I), ...); }

template <int Pitch>
struct View {
    float4 *chunks;
    __device__ float4 &quad(int r, int q) const { return chunks[r * (Pitch / 4) + q]; }
    __device__ float &operator()(int r, int c) const { return reinterpret_cast<float *>(chunks)[r * Pitch + c]; }
};

template <int... I>
__device__ __forceinline__ void rank_one(float (&sum)[16], const float (&x)[4], const float4 &y, Ints<I...>)
{
    const float q[4] = {y.x, y.y, y.z, y.w};
    ((sum[I] = fmaf(x[I / 4], q[I % 4], sum[I])), ...);
}

__global__ void __launch_bounds__(256)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ float4 store[2][256];
    const View<16> A{store[0]};
    const View<64> B{store[1]};
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[16] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        each(Upto<4>{}, [&](int j) {
            const int r = ty + 16 * j;
            A(r, tx) = row0 + r < m && k0 + tx < k ? a[(row0 + r) * k + k0 + tx] : 0.0f;
        });
        each(Upto<4>{}, [&](int j) {
            const int i = id / 64 + 4 * j, q = id % 64;
            B(i, q) = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        });
        __syncthreads();
#pragma unroll
        for (int i4 = 0; i4 < 4; i4++) {
            const float4 x[4] = {A.quad(ty, i4), A.quad(ty + 16, i4), A.quad(ty + 32, i4), A.quad(ty + 48, i4)};
            rank_one(sum, {x[0].x, x[1].x, x[2].x, x[3].x}, B.quad(4 * i4 + 0, tx), Upto<16>{});
            rank_one(sum, {x[0].y, x[1].y, x[2].y, x[3].y}, B.quad(4 * i4 + 1, tx), Upto<16>{});
            rank_one(sum, {x[0].z, x[1].z, x[2].z, x[3].z}, B.quad(4 * i4 + 2, tx), Upto<16>{});
            rank_one(sum, {x[0].w, x[1].w, x[2].w, x[3].w}, B.quad(4 * i4 + 3, tx), Upto<16>{});
        }
        __syncthreads();
    }

    each(Upto<16>{}, [&](int e) {
        const int row = row0 + ty + e / 4 * 16, column = column0 + tx * 4 + e % 4;
        if (row < m && column < n)
            c[row * n + column] = sum[e];
    });
}
