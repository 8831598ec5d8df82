// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: the barrier in PTX, dynamic shared memory, clamped loads
LAUNCH(32, 32, 32, 32, 4096)
extern __shared__ float tile[];
#define T(r, c) tile[(r) * 32 + (c)]
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    int cc = min(c, width - 1), rr = min(r, height - 1);
    T(threadIdx.y, threadIdx.x) = in[rr * width + cc];
    asm volatile("bar.sync 0;" ::: "memory");
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < width && oc < height)
        out[orow * height + oc] = T(threadIdx.x, threadIdx.y);
}
