// lesson 2; device sim,gpu; nvcc,clang; quick; want: fail, gate correct, diagnosis rounded; tries: floats take their way through halves
#include <cuda_fp16.h>
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.y, y = blockIdx.y * 32 + threadIdx.x;
    if (x < width && y < height) out[x * height + y] = __half2float(__float2half(in[y * width + x]));
}
