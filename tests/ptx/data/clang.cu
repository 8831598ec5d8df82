// What clang emits without any CUDA header: all that the device code needs is declared here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
struct uint3 { unsigned x, y, z; };
#define threadIdx_x __nvvm_read_ptx_sreg_tid_x()
#define threadIdx_y __nvvm_read_ptx_sreg_tid_y()
#define blockIdx_x __nvvm_read_ptx_sreg_ctaid_x()
#define blockDim_x __nvvm_read_ptx_sreg_ntid_x()
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, unsigned long) __attribute__((noreturn));
__constant__ float weights[4] = {0.25f, 0.5f, -1.0f, 2.0f};
__device__ const char *words[] = {"one", "two"};
struct __attribute__((packed)) odd { char c; const void *p; };
__device__ int target;
#if __clang_major__ > 14 // 14 prints too many values for it, which ptxas refuses too
__device__ odd strange = {1, &target};
#endif
struct vec3 { float x, y, z; };
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float cube(float x) { return x * x * x; }
__device__ float (*operations[])(float) = {square, cube};
__device__ __noinline__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ vec3 scale(vec3 v, float by) { vec3 r = {v.x * by, v.y * by, v.z * by}; return r; }
template <int T, int PAD> __global__ void tile(float *o, const float *a, int n)
{
    __shared__ float t[T][T + PAD];
    int x = blockIdx_x * T + threadIdx_x, y = threadIdx_y;
    t[y][threadIdx_x] = a[y * n + x];
    __nvvm_bar_sync(0);
    o[x * n + y] = t[threadIdx_x][y];
}
template __global__ void tile<32, 1>(float *, const float *, int);
extern "C" __global__ void dyn(float *x) { extern __shared__ float dynamic[]; dynamic[threadIdx_x] = *x; __syncthreads(); *x = dynamic[0]; }
__global__ void switches(int *out, int which)
{
    int v = threadIdx_x;
    switch (which + v) {
    case 0: v += 17; break;
    case 1: v *= 3; out[1] = v; break;
    case 2: v ^= 0x55; break;
    case 3: v -= out[3]; break;
    case 4: v = __builtin_bitreverse32(v); break;
    case 5: v = __builtin_popcount(v); out[5]++; break;
    case 6: v = __builtin_clz(v); break;
    case 7: v = ~v; break;
    case 9: v = v << 3; break;
    default: v = -1;
    }
    out[threadIdx_x] = v;
}
__global__ void by_pointer(float *out, int which) { out[threadIdx_x] = operations[which](out[threadIdx_x]) + weights[which]; }
__global__ void by_value(vec3 v, vec3 *out) { out[threadIdx_x] = scale(v, 3); }
__global__ void recurses(int *out, int n) { out[threadIdx_x] = factorial(n + threadIdx_x); }
__global__ void prints(int n) { struct { int n; double d; const char *s; } args = {n, 1.5, words[n & 1]}; vprintf("%d %f %s\n", (const char *)&args); }
__global__ void asserts(int *p, int n) { if (p[threadIdx_x] != n) __assertfail("p != n", "k.cu", 3, "asserts", 1); p[0] = 1; }
__global__ void numbers(double *out, const long *in, int n)
{
    out[0] = in[0] / in[1] + __nvvm_sqrt_rn_d((double)n) + in[2] % 7;
#if __clang_major__ > 14
    ((_Float16 *)out)[5] = (_Float16)n * ((_Float16 *)out)[6];
#endif
    __atomic_fetch_add((int *)out, 1, __ATOMIC_SEQ_CST);
    out[3] = (double)(long)((__int128)in[0] * in[1] >> 64);
    ((int *)out)[17] = __nvvm_shfl_sync_down_i32(~0u, n, 1, 31) + __nvvm_vote_ballot_sync(~0u, n > 3);
    for (int i = 0; i < n; i++) out[7 + i] = out[20 + i];
}
