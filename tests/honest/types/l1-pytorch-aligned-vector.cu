// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: PyTorch's idiom: an aligned_vector<float, 4>, a register array filled by *reinterpret_cast<vec *>(values) = *from and stored the same way, four of them a thread in two rounds; the tail float by float; right for every n
LAUNCH(256, 1, 8192, 1)

template <typename scalar_t, int vec_size> struct alignas(sizeof(scalar_t) * vec_size) aligned_vector {
    scalar_t val[vec_size];
};

template <typename T, int VEC, int LOADS> struct policy {
    using vec_t = aligned_vector<T, VEC>;
    T args[LOADS][VEC];

    __device__ void load(const T *from)
    {
        const vec_t *v = reinterpret_cast<const vec_t *>(from);
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            vec_t got = v[threadIdx.x + i * 256];
#pragma unroll
            for (int j = 0; j < VEC; j++)
                args[i][j] = got.val[j];
        }
    }
    __device__ void store(T *to)
    {
        vec_t *v = reinterpret_cast<vec_t *>(to);
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            vec_t put;
#pragma unroll
            for (int j = 0; j < VEC; j++)
                put.val[j] = args[i][j];
            v[threadIdx.x + i * 256] = put;
        }
    }
};

__global__ void copy(float *out, const float *in, int n)
{
    constexpr int CHUNK = 4096;
    for (int half = 0; half < 2; half++) {
        const long long base = blockIdx.x * 8192ll + half * CHUNK;
        if (base + CHUNK <= n) {
            policy<float, 4, 4> p;
            p.load(in + base);
            p.store(out + base);
        } else
            for (long long i = base + threadIdx.x; i < n; i += 256)
                out[i] = in[i];
    }
}
