// Microbenchmarks of memory that micro.cu has not: what L2 holds when a kernel starts, loads and stores at random, atomics
// of single lanes, match. CSV rows on stdout: group,name,parameter,value,unit.
// nvcc -O3 -std=c++17 -arch=sm_90 -o memory memory.cu && ./memory > memory.csv
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define FULL 0xffffffffu
static const size_t MB = 1 << 20, FLUSH = 256 * MB;
static char *flush_buffer; static float *a, *o;

__device__ unsigned mix(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
__global__ void read_all(const float4 *p, float *q, size_t n) { float v = 0; for (size_t i = AT; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 x = p[i]; v += x.x + x.y + x.z + x.w; } if (v == 1e30f) q[0] = v; }
__global__ void read_once(const float4 *p, float *q) { float4 x = p[AT]; if (x.x + x.y + x.z + x.w == 1e30f) q[0] = 1; }
__global__ void read_word(const float *p, float *q) { float x = p[AT]; if (x == 1e30f) q[0] = 1; }
__global__ void copy_all(const float4 *p, float4 *q, size_t n) { for (size_t i = AT; i < n; i += (size_t)gridDim.x * blockDim.x) q[i] = p[i]; }
__global__ void copy_once(const float4 *p, float4 *q) { q[AT] = p[AT]; }
__global__ void write_once(float4 *q) { q[AT] = make_float4(1, 2, 3, 4); }
__global__ void store_random(float *q, unsigned mask) { q[mix(AT) & mask] = 1; }
__global__ void store_line(float *q, unsigned mask) { q[(mix(AT / 32) * 32 + threadIdx.x % 32) & mask] = 1; }
__global__ void load_random(const float *p, float *q, unsigned mask) { float v = p[mix(AT) & mask]; if (v == 1e30f) q[0] = 1; }
__global__ void atomic_random(unsigned *q, unsigned mask) { atomicAdd(q + (mix(AT) & mask), 1u); }
__global__ void atomic_lane(unsigned *q, unsigned words) { if (threadIdx.x % 32 == 0) atomicAdd(q + AT / 32 % words, 1u); }
__global__ void atomic_lane_old(unsigned *q, unsigned words, unsigned *r) { unsigned v = 0; if (threadIdx.x % 32 == 0) v = atomicAdd(q + AT / 32 % words, 1u); v = __shfl_sync(FULL, v, 0); if (v == FULL) r[0] = 1; }
__global__ void matches(long long *t, unsigned *r, unsigned distinct, int rounds) { unsigned x = threadIdx.x % distinct, v = 0; __syncthreads(); long long s = clock64(); for (int k = 0; k < rounds; k++) { v += __match_any_sync(FULL, x + (v & 0x10000)); } long long e = clock64(); if (threadIdx.x % 32 == 0) { t[2 * (threadIdx.x / 32)] = s; t[2 * (threadIdx.x / 32) + 1] = e; } r[threadIdx.x] = v; }
__global__ void bytes_add(long long *t, unsigned *r, unsigned spread) { __shared__ unsigned char h[16][128]; for (int i = 0; i < 16; i++) h[i][threadIdx.x % 128] = 0; __syncthreads(); unsigned x = mix(threadIdx.x); long long s = clock64();
#pragma unroll 8
    for (int k = 0; k < 64; k++) { h[(x >> (k & 15)) % spread][threadIdx.x % 128]++; } long long e = clock64(); if (threadIdx.x % 32 == 0) { t[2 * (threadIdx.x / 32)] = s; t[2 * (threadIdx.x / 32) + 1] = e; } r[threadIdx.x] = h[3][threadIdx.x % 128]; }

enum before { NOTHING, WRITTEN, READ };
static const char *const befores[] = {"nothing", "256 MB written", "256 MB read"};
static double us(before what, std::function<void()> f)
{
    cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y)); std::vector<float> v; f(); f();
    for (int i = 0; i < 11; i++) {
        if (what != NOTHING) CK(cudaMemsetAsync(flush_buffer, i, FLUSH));
        if (what == READ) for (int k = 0; k < 2; k++) read_all<<<1056, 256>>>((const float4 *)(flush_buffer + FLUSH), o, FLUSH / 16);
        CK(cudaEventRecord(x)); f(); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); v.push_back(ms);
    }
    CK(cudaGetLastError()); std::sort(v.begin(), v.end()); CK(cudaEventDestroy(x)); CK(cudaEventDestroy(y)); return v[5] * 1e3;
}
static double span(long long *t, int warps) { long long h[64]; CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost)); long long x = h[0], y = h[1]; for (int w = 1; w < warps; w++) { x = std::min(x, h[2 * w]); y = std::max(y, h[2 * w + 1]); } return (double)(y - x); }
int main()
{
    cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0)); int sms = p.multiProcessorCount; printf("# %s, sm_%d%d, %d SMs, medians of 11\ngroup,name,parameter,value,unit\n", p.name, p.major, p.minor, sms);
    long long *t; CK(cudaMalloc(&t, 4096)); CK(cudaMalloc(&flush_buffer, 2 * FLUSH)); CK(cudaMalloc(&a, 256 * MB)); CK(cudaMalloc(&o, 256 * MB)); CK(cudaMemset(a, 0, 256 * MB)); CK(cudaMemset(flush_buffer, 0, 2 * FLUSH));
    for (size_t mb : {4, 8, 16, 32, 64, 128, 256})
        for (before b : {NOTHING, WRITTEN, READ}) {
            size_t n = mb * MB / 16; unsigned blocks = (unsigned)(n / 256); auto row = [&](const char *name, double v) { printf("start,%s of %zu MB,%s before,%.3f,us\n", name, mb, befores[b], v); };
            row("float4 read by a full wave", us(b, [&] { read_all<<<4 * sms, 512>>>((const float4 *)a, o, n); })); row("float4 read one a thread", us(b, [&] { read_once<<<blocks, 256>>>((const float4 *)a, o); }));
            row("float read one a thread", us(b, [&] { read_word<<<4 * blocks, 256>>>(a, o); })); row("float4 written one a thread", us(b, [&] { write_once<<<blocks, 256>>>((float4 *)o); }));
            row("float4 copied by a full wave", us(b, [&] { copy_all<<<4 * sms, 512>>>((const float4 *)a, (float4 *)o, n); })); row("float4 copied one a thread", us(b, [&] { copy_once<<<blocks, 256>>>((const float4 *)a, (float4 *)o); }));
        }
    for (size_t mb : {1, 4, 16, 64, 256})
        for (before b : {WRITTEN, READ}) {
            unsigned mask = (unsigned)(mb * MB / 4 - 1); auto row = [&](const char *name, double v) { printf("random,4 Mi %s over %zu MB,%s before,%.3f,us\n", name, mb, befores[b], v); };
            row("words stored", us(b, [&] { store_random<<<16384, 256>>>(o, mask); })); row("words loaded", us(b, [&] { load_random<<<16384, 256>>>(a, o, mask); })); row("words added to", us(b, [&] { atomic_random<<<16384, 256>>>((unsigned *)o, mask); })); row("words stored in lines of 32", us(b, [&] { store_line<<<16384, 256>>>(o, mask); }));
        }
    for (unsigned words : {1u, 2u, 8u, 32u, 256u, 8192u}) { printf("lane,131072 atomics of one lane over %u words,without result,%.3f,us\n", words, us(NOTHING, [&] { atomic_lane<<<16384, 256>>>((unsigned *)o, words); })); printf("lane,131072 atomics of one lane over %u words,with result,%.3f,us\n", words, us(NOTHING, [&] { atomic_lane_old<<<16384, 256>>>((unsigned *)o, words, (unsigned *)a); })); }
    for (unsigned d : {1u, 2u, 4u, 8u, 16u, 32u}) for (int w : {1, 8, 32}) { for (int k = 0; k < 2; k++) matches<<<1, 32 * w>>>(t, (unsigned *)o, d, 256); printf("match,%u values,%d warps,%.3f,cycles of the SM per warp instruction\n", d, w, span(t, w) / (256.0 * w)); }
    for (unsigned d : {1u, 4u, 16u}) for (int w : {4, 32}) { for (int k = 0; k < 2; k++) bytes_add<<<1, 32 * w>>>(t, (unsigned *)o, d); printf("bytes,one added to a byte of %u rows of shared memory,%d warps,%.3f,cycles of the SM each\n", d, w, span(t, w) / (64.0 * w)); }
    return 0;
}
