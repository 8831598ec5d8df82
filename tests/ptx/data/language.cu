// Kernels for what compilers emit beyond straight-line code: calls, tables, initial data, inline assembly.
#include <cassert>
#include <cstdio>

struct vec3 {
    float x, y, z;
};
struct big {
    double values[6];
    char tag;
};

__constant__ float weights[4] = {0.25f, 0.5f, -1.0f, 2.0f};
__constant__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int counter = 7;
__device__ int *counter_address = &counter;
__device__ const char *words[] = {"one", "two", "three"};
__device__ vec3 origin = {1.0f, 2.0f, 3.0f};
__managed__ unsigned long long seen;

__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float cube(float x) { return x * x * x; }
__device__ float (*const operations[])(float) = {square, cube};

__device__ __noinline__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ vec3 scale(vec3 v, float by) { return {v.x * by, v.y * by, v.z * by}; }

struct shape {
    __device__ virtual float area() const = 0;
};
struct circle : shape {
    float r;
    __device__ circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
};
struct box : shape {
    float a;
    __device__ box(float a) : a(a) {}
    __device__ float area() const override { return a * a; }
};

__global__ void prints(int n) { printf("%d of %f %s\n", n, 1.5, words[n % 3]); }
__global__ void asserts(const int *data, int n)
{
    assert(threadIdx.x < n && "too many threads");
    assert(data[threadIdx.x] >= 0);
}
__global__ void recurses(int *out, int n) { out[threadIdx.x] = factorial(n + threadIdx.x); }
__global__ void by_pointer(float *out, int which) { out[threadIdx.x] = operations[which](out[threadIdx.x]); }
__global__ void by_value(vec3 v, big b, vec3 *out) { out[threadIdx.x] = scale(v, (float)b.values[threadIdx.x % 6] + b.tag); }
__global__ void dispatches(float *out, int which)
{
    circle c(out[0]);
    box b(out[1]);
    const shape *s = which ? (const shape *)&c : &b;
    out[threadIdx.x] = s->area();
}
__global__ void switches(int *out, int which)
{
    int v = threadIdx.x;
    switch (which + v) {
    case 0: v += 17; break;
    case 1: v *= 3; out[1] = v; break;
    case 2: v ^= 0x55; break;
    case 3: v -= out[3]; break;
    case 4: v = __brev(v); break;
    case 5: v = __popc(v); out[5]++; break;
    case 6: v = __clz(v); break;
    case 7: v = ~v; break;
    case 9: v = v << 3; break;
    default: v = -1;
    }
    out[threadIdx.x] = v;
}
__global__ void data(float *out, int i)
{
    out[0] = weights[i & 3] + table[i & 1][i % 3] + *counter_address + origin.y;
    atomicAdd(&seen, 1ull);
}
__global__ void assembly(unsigned *out, unsigned long long p)
{
    unsigned a = threadIdx.x, b;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 t<3>;\n\tsetp.ne.u32 p, %1, 0;\n\t@!p bra DONE;\n\tadd.u32 t0, %1, 1;\n\t"
                 "DONE:\n\tmov.u32 %0, %1;\n\t}" : "=r"(b) : "r"(a));
    asm volatile("{\n\t.reg .pred p;\n\tLOOP: setp.gt.u32 p, %0, 99;\n\t@p bra DONE;\n\tadd.u32 %0, %0, 7;\n\tbra LOOP;\n\tDONE:\n\t}"
                 : "+r"(b));
    unsigned lane, mask;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    out[threadIdx.x] = b + lane + mask + __shfl_xor_sync(~0u, b, 1) + __ballot_sync(~0u, b > 3) + __match_any_sync(~0u, b);
    if (p)
        __nanosleep(10);
}
__global__ void __launch_bounds__(256, 2) numbers(double *out, const long long *in, int n)
{
    long long a = in[threadIdx.x], b = in[threadIdx.x + 1];
    out[0] = (double)(a / b) + sin((double)n) + sqrt((double)a);
    out[1] = __mul64hi(a, b) + (unsigned __int128)a * b % 97;
    ((float *)out)[4] = sinf((float)n) + __expf((float)n) + powf((float)n, 1.5f) + rsqrtf((float)n) + fmodf((float)a, 3.0f);
    ((int *)out)[9] = __dp4a((int)a, (int)b, n) + __funnelshift_l((unsigned)a, (unsigned)b, n) + __byte_perm(n, n, 0x3210) +
                      __vabsdiffu4(n, 3) + __sad(n, 3, 4u) + __mul24(n, 5) + __ffs(n) + __double2int_rz(out[3]);
    out[12] = clock64() + __fma_rn(out[5], 2.0, 1.0);
}
__global__ void allocates(int **out, int n)
{
    int *memory = (int *)malloc(n * sizeof(int));
    int local[40];
    for (int i = 0; i < n; i++)
        local[(i * 7) % 40] = i;
    memory[0] = local[n % 40];
    out[threadIdx.x] = memory;
    free(memory + 4096);
    if (n == 77)
        __trap();
}
extern "C" __global__ void plain_name(float *x) { extern __shared__ float dynamic[]; dynamic[threadIdx.x] = *x; __syncthreads(); *x = dynamic[0]; }
namespace {
__global__ void hidden(float *x) { *x = 1; }
}
static __global__ void file_static(float *x) { *x = 2; }
void use() { hidden<<<1, 1>>>(nullptr); file_static<<<1, 1>>>(nullptr); }
