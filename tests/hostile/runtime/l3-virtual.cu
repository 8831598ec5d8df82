// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: a call through a table of functions
struct base {
    __device__ virtual float get(float x) { return x; }
};
struct derived : base {
    __device__ float get(float x) override { return x; }
};
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        {
            derived d;
            base *b = &d;
            out[column * height + row] = b->get(in[row * width + column]);
        }
}
