// lesson 4; device sim,gpu; nvcc,clang; want: pass; tries: Fortran habits: all indices begin at 1, matrices are column-major with a leading dimension, do loops with bounds and a stride, the tile is t(33, 32)
LAUNCH(32, 8, 32, 32)

#define DO(i, from, to, by) for (int i = (from); i <= (to); i += (by))

// A(LD, *): element (i, j) lies at (i - 1) + (j - 1) * LD. A row-major height x width matrix is,
// to Fortran, a column-major one of width x height.
template <typename T>
struct Dimension {
    T *first;
    int ld;
    __device__ T &operator()(int i, int j) const { return first[(i - 1) + (long long)(j - 1) * ld]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float storage[33 * 32];

    const Dimension<const float> a{in, width};   // REAL A(WIDTH, HEIGHT)
    const Dimension<float> b{out, height};       // REAL B(HEIGHT, WIDTH)
    const Dimension<float> t{storage, 33};       // REAL T(33, 32), one word of each column is not used

    const int me = threadIdx.x + 1, mine = threadIdx.y + 1;
    const int i0 = blockIdx.x * 32, j0 = blockIdx.y * 32;

    // T(ME, J) = A(I0 + ME, J0 + J)
#pragma unroll
    DO (j, mine, mine + 24, 8)
        if (i0 + me <= width && j0 + j <= height)
            t(me, j) = a(i0 + me, j0 + j);

    __syncthreads();

    // B(J0 + ME, I0 + J) = T(J, ME)
#pragma unroll
    DO (j, mine, mine + 24, 8)
        if (j0 + me <= height && i0 + j <= width)
            b(j0 + me, i0 + j) = t(j, me);
}
