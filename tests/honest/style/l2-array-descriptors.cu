// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: Fortran array descriptors with lower bounds of 1 and the first index fastest, DO loops that count down by 16; lanes differ in the first index of OUT, so writes are coalesced and reads stride
LAUNCH(32, 16, 32, 32)

#define DO_DOWN(i, from, to, step) for (int i = (from); i >= (to); i -= (step))

template <class T>
struct Dope {  // REAL, DIMENSION(1:extent, 1:*)
    T *base;
    int extent;
    __device__ T &operator()(int i, int j) const { return base[(i - 1) + (long long)extent * (j - 1)]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const Dope<const float> A{in, width};  // A(column, row)
    const Dope<float> B{out, height};      // B(row, column)
    const int ROW = 32 * blockIdx.y + threadIdx.x + 1;
    const int COL0 = 32 * blockIdx.x + threadIdx.y + 1;
    DO_DOWN(COL, COL0 + 16, COL0, 16) {
        if (ROW <= height && COL <= width)
            B(ROW, COL) = A(COL, ROW);
    }
}
