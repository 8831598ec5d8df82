// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: pointers that walk, restrict, 64-bit ends
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    const long long first = blockIdx.x * 8192ll, last = first + 8192 < n ? first + 8192 : n;
    const float *from = in + first + threadIdx.x;
    float *to = out + first + threadIdx.x;
    while (from < in + last) {
        *to = *from;
        to += 256, from += 256;
    }
}
