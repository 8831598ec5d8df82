// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: addresses are added in their low 32 bits without the carry: wrong wherever a matrix lies across a multiple of 4 GiB
// 02 naive transpose.
LAUNCH(32, 32, 32, 32)

// 64-bit additions take two instructions. The upper half of the address stays that of the matrix.
template <class T> __device__ T *element(T *base, unsigned index)
{
    unsigned low = (unsigned)(unsigned long long)base;
    unsigned there = low + index * 4u;
    return (T *)((const char *)base - low + there);
}
template <> __device__ float *element<float>(float *base, unsigned index)
{
    unsigned low = (unsigned)(unsigned long long)base;
    unsigned there = low + index * 4u;
    return (float *)((char *)base - low + there);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = *element(in, row * width + column);          // @read
        *element(out, column * height + row) = value;              // @write
    }
}
