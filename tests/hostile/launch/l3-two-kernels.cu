// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail|launch-error|compile-error, at most 0; tries: two kernels called transpose: which one is graded?
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height) { }
namespace a { __global__ void transpose(float *out, const float *in, int width, int height) { out[0] = 1; } }
template <int N> __global__ void transpose(float *out, const float *in, int width, int height) { out[1] = N; }
template __global__ void transpose<3>(float *, const float *, int, int);
