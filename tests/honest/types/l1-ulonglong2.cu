// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: 16 bytes as two unsigned long longs, a switch for the tail
LAUNCH(128, 1, 512, 1)
__global__ void copy(float *out, const float *in, int n)
{
    int i = 4 * (blockIdx.x * 128 + threadIdx.x);
    switch (max(0, min(4, n - i))) {
    case 4: *reinterpret_cast<ulonglong2 *>(out + i) = *reinterpret_cast<const ulonglong2 *>(in + i); return;
    case 3: out[i + 2] = in[i + 2];  /* fall */
    case 2: out[i + 1] = in[i + 1];  /* fall */
    case 1: out[i] = in[i];  /* fall */
    default:;
    }
}
