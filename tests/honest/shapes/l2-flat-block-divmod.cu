// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a flat block of 1024 threads that counts the elements of out, with struct views and __ldg
LAUNCH(1024, 1, 32, 32)

template <class T>
struct View {  // a matrix, row after row
    T *data;
    int rows, cols;
    __device__ bool has(int r, int c) const { return r < rows && c < cols; }
    __device__ T *at(int r, int c) const { return data + r * cols + c; }
};

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    const View<const float> source{in, height, width};
    const View<float> target{out, width, height};

    // The thread's element of out: lanes are neighbours of a row of out, so they go down a column of in.
    const unsigned e = threadIdx.x;
    const int c = blockIdx.y * 32u + (e & 31u);
    const int r = blockIdx.x * 32u + (e >> 5);
    if (target.has(r, c))
        *target.at(r, c) = __ldg(source.at(c, r));
}
