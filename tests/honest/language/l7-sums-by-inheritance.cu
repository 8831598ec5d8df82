// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: the sixteen sums are sixteen base classes of one struct; products are fold expressions over them
LAUNCH(16, 16, 64, 64)

template <int... I>
struct List {
};
template <int N, int... I>
struct Count : Count<N - 1, N - 1, I...> {
};
template <int... I>
struct Count<0, I...> {
    using type = List<I...>;
};

template <int I>
struct Cell {
    float value = 0;
};

template <typename Indices>
struct Patch;

template <int... I>
struct Patch<List<I...>> : Cell<I>... {
    template <int J>
    __device__ __forceinline__ float &get()
    {
        return static_cast<Cell<J> &>(*this).value;
    }
    // Column times row: cell I has row I / 4 and column I % 4.
    __device__ __forceinline__ void add(const float (&x)[4], const float (&y)[4])
    {
        ((get<I>() += x[I / 4] * y[I % 4]), ...);
    }
    template <typename Visit>
    __device__ __forceinline__ void each(Visit visit)
    {
        (visit(I / 4, I % 4, get<I>()), ...);
    }
};

template <typename Body, int... I>
__device__ __forceinline__ void for_all(List<I...>, Body body)
{
    (body(I), ...);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16], b_tile[16][64];
    using Sixteen = Count<16>::type;
    using Four = Count<4>::type;

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    Patch<Sixteen> patch;

    for (int k0 = 0; k0 < k; k0 += 16) {
        for_all(Four{}, [&](int j) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        });
        for_all(Four{}, [&](int j) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        });
        __syncthreads();

        for_all(Sixteen{}, [&](int i) {
            float x[4], y[4];
            for_all(Four{}, [&](int j) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[i][q0 + j];
            });
            patch.add(x, y);
        });
        __syncthreads();
    }

    patch.each([&](int r, int q, float value) {
        if (row0 + r0 + r < m && column0 + q0 + q < n)
            c[(row0 + r0 + r) * n + column0 + q0 + q] = value;
    });
}
