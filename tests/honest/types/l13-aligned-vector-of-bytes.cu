// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: aligned_vector<unsigned char, 16>, a struct of sixteen bytes loaded by one assignment where cols is a multiple of 16 and counted byte by byte from the struct, bytes alone elsewhere; counts in shared memory, two barriers, right
LAUNCH(32, 8, 1, 1)

template <typename T, int N> struct alignas(sizeof(T) * N) aligned_vector { T val[N]; };

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    using vec = aligned_vector<unsigned char, 16>;
    __shared__ unsigned counts[256];
    const int t = threadIdx.y * 32 + threadIdx.x;
    const unsigned char *row = in + (size_t)blockIdx.x * cols;

    counts[t] = 0;
    __syncthreads();
    if (cols % 16 == 0)
        for (int i = t; i < cols / 16; i += 256) {
            const vec v = reinterpret_cast<const vec *>(row)[i];
#pragma unroll
            for (int j = 0; j < 16; j++)
                atomicAdd(&counts[v.val[j] >> shift], 1u);
        }
    else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[row[i] >> shift], 1u);
    __syncthreads();
    out[(size_t)blockIdx.x * 256 + t] = counts[t];
}
