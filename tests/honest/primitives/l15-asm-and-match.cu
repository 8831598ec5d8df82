// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: inline PTX: bar.sync/bar.arrive pairs, shfl.bfly, red to shared, cp.async groups
__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float mine = 0;
    if (i < n) mine = in[i];
    asm volatile("st.shared.f32 [%0+4], %1;" ::"r"(at(tile + t)), "f"(mine) : "memory");
    if (t == 0) tile[0] = i > 0 && i - 1 < n ? in[i - 1] : 0;
    else if (t == 255) tile[257] = i < n - 1 ? in[i + 1] : 0;
    asm volatile("bar.sync 3, 256;" ::: "memory");
    float l, r;
    asm volatile("ld.shared.f32 %0, [%2];\n\tld.shared.f32 %1, [%2+8];" : "=f"(l), "=f"(r) : "r"(at(tile + t)) : "memory");
    if (i < n) out[i] = l + mine + r;
}
__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float sum;
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (t == 0) sum = 0;
    asm volatile("bar.sync 0;" ::: "memory");
    float v = i < n ? in[i] : 0;
    for (int d = 16; d; d /= 2) {
        float w;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(w) : "f"(v), "r"(d));
        v += w;
    }
    if ((t & 31) == 0) asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(at(&sum)), "f"(v) : "memory");
    if (t >= 32) asm volatile("bar.arrive 1, 256;" ::: "memory");
    else {
        asm volatile("bar.sync 1, 256;" ::: "memory");
        if (t == 0) out[blockIdx.x] = sum;
    }
}
__global__ void reverse(float *out, const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}
__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(tile + t + 1)), "l"(in + i) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (t == 0) {
        int before = i ? i - 1 : 0;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at(tile)), "l"(in + before), "r"(i ? 4 : 0) : "memory");
    }
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;\n\tbar.sync 0;" ::: "memory");
    if (i < n) out[i] = tile[t + 1] - tile[t];
}
