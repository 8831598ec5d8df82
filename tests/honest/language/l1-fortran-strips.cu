// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: Fortran veteran: one-based macros, strip-mined DO loops, 4 x 64 threads
LAUNCH(4, 64, 8192, 1)
#define DO(i, lo, hi, st) for (int i = (lo); i <= (hi); i += (st))
#define OUT(i) out[(i) - 1]
#define IN(i) in[(i) - 1]
__global__ void copy(float *out, const float *in, int n)
{
    const int me = threadIdx.x + 4 * threadIdx.y + 1;  // 1 .. 256
    const int ibeg = blockIdx.x * 8192 + 1;
    const int iend = min(n, ibeg + 8191);
    DO (js, ibeg, iend, 2048) {  // strips of 2048, eight values in flight
        float buf[8];
        #pragma unroll
        DO (k, 1, 8, 1) {
            int i = js + me - 1 + (k - 1) * 256;
            buf[k - 1] = i <= iend ? IN(i) : 0.0f;
        }
        #pragma unroll
        DO (k, 1, 8, 1) {
            int i = js + me - 1 + (k - 1) * 256;
            if (i <= iend) OUT(i) = buf[k - 1];
        }
    }
}
