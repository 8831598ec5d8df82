// The seventh ladder: everyday kernels in other people's manner, many in pairs that a lesson would set beside each other
// (thread or warp a row, tile or none, padding or none, four words or one, one buffer or two). Each takes (o, a, b, n),
// three buffers of n * n floats; how they are launched stands in ladder_g.def. Prints microseconds:
// kernel,n,us_median,us_min,us_max,registers. `ladder_g --once` launches each at one small size.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#define ARGS float *__restrict__ o, const float *__restrict__ a, const float *__restrict__ b, int n
#define FULL 0xffffffffu
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define BITS(v) __float_as_uint(v)

__device__ __forceinline__ unsigned mix(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16;
}
__device__ __forceinline__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    return v;
}
__device__ __forceinline__ float dot4(float4 u, float4 v) { return u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w; }
__constant__ float table[256] = {0, 0.1f, 0.2f};
__constant__ float taps[33] = {0.5f, 0.25f, 0.125f};

// ---- matrix times vector
__global__ void gemv_thread(ARGS) // a thread a row
{
    int row = AT;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[(size_t)row * n + k] * b[k];
    o[row] = sum;
}
__global__ void gemv_block(ARGS) // a block a row, four words a load
{
    __shared__ float part[4];
    const float4 *row = (const float4 *)(a + (size_t)blockIdx.x * n), *x = (const float4 *)b;
    float sum = 0;
    for (int k = threadIdx.x; k < n / 4; k += blockDim.x) sum += dot4(row[k], x[k]);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) o[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
__global__ void gemv_double(ARGS) // n rows of n / 2 doubles, a warp a row
{
    int row = AT / 32, lane = threadIdx.x % 32, m = n / 2;
    const double *p = (const double *)a + (size_t)row * m, *x = (const double *)b;
    double sum = 0;
    for (int k = lane; k < m; k += 32) sum += p[k] * x[k];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
    if (lane == 0) ((double *)o)[row] = sum;
}
// ---- rows through softmax
__global__ void softmax_thrice(ARGS) // rows of 1024 read three times, 256 threads
{
    __shared__ float part[8];
    const float *row = a + (size_t)blockIdx.x * 1024;
    float *out = o + (size_t)blockIdx.x * 1024;
    int t = threadIdx.x;
    float m = -1e30f, s = 0;
    for (int k = t; k < 1024; k += 256) m = fmaxf(m, row[k]);
    for (int d = 16; d > 0; d >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, d));
    if (t % 32 == 0) part[t / 32] = m;
    __syncthreads();
    for (int i = 0; i < 8; i++) m = fmaxf(m, part[i]);
    __syncthreads();
    for (int k = t; k < 1024; k += 256) s += expf(row[k] - m);
    for (int d = 16; d > 0; d >>= 1) s += __shfl_xor_sync(FULL, s, d);
    if (t % 32 == 0) part[t / 32] = s;
    __syncthreads();
    s = 0;
    for (int i = 0; i < 8; i++) s += part[i];
    for (int k = t; k < 1024; k += 256) out[k] = expf(row[k] - m) / s;
}
__global__ void softmax_kept(ARGS) // the same rows read once, four words a thread in registers
{
    __shared__ float part[2][8];
    int t = threadIdx.x;
    float4 v = ((const float4 *)a)[AT];
    float m = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
    for (int d = 16; d > 0; d >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, d));
    if (t % 32 == 0) part[0][t / 32] = m;
    __syncthreads();
    for (int i = 0; i < 8; i++) m = fmaxf(m, part[0][i]);
    v.x = __expf(v.x - m); v.y = __expf(v.y - m); v.z = __expf(v.z - m); v.w = __expf(v.w - m);
    float s = v.x + v.y + v.z + v.w;
    for (int d = 16; d > 0; d >>= 1) s += __shfl_xor_sync(FULL, s, d);
    if (t % 32 == 0) part[1][t / 32] = s;
    __syncthreads();
    s = 0;
    for (int i = 0; i < 8; i++) s += part[1][i];
    s = 1 / s;
    ((float4 *)o)[AT] = make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}
__global__ void group_norm(ARGS) // groups of 4096 words, 512 threads, two sweeps
{
    __shared__ float sum[16], square[16];
    int t = threadIdx.x;
    const float4 *p = (const float4 *)a + (size_t)blockIdx.x * 1024;
    float s = 0, q = 0;
    for (int k = t; k < 1024; k += 512) { float4 v = p[k]; s += v.x + v.y + v.z + v.w; q += dot4(v, v); }
    s = warp_sum(s); q = warp_sum(q);
    if (t % 32 == 0) { sum[t / 32] = s; square[t / 32] = q; }
    __syncthreads();
    if (t < 32) { s = t < 16 ? sum[t] : 0; q = t < 16 ? square[t] : 0; s = warp_sum(s); q = warp_sum(q); if (t == 0) { sum[0] = s / 4096; square[0] = rsqrtf(q / 4096 - s * s / 16777216 + 1e-5f); } }
    __syncthreads();
    float mean = sum[0], scale = square[0];
    for (int k = t; k < 1024; k += 512) { float4 v = p[k]; ((float4 *)o)[(size_t)blockIdx.x * 1024 + k] = make_float4((v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale, (v.w - mean) * scale); }
}
// ---- eight words in a row for each thread
__global__ void eight_words(ARGS) // one word at a time: lanes eight words apart
{
    const float *p = a + (size_t)AT * 8;
    float v[8], s = 0;
    for (int k = 0; k < 8; k++) v[k] = s += p[k];
    for (int k = 0; k < 8; k++) o[(size_t)AT * 8 + k] = v[k] + b[blockIdx.x];
}
__global__ void eight_vectors(ARGS) // four words at a time
{
    const float4 *p = (const float4 *)a + (size_t)AT * 2;
    float4 u = p[0], v = p[1];
    float c = b[blockIdx.x];
    u.y += u.x; u.z += u.y; u.w += u.z; v.x += u.w; v.y += v.x; v.z += v.y; v.w += v.z;
    ((float4 *)o)[(size_t)AT * 2] = make_float4(u.x + c, u.y + c, u.z + c, u.w + c);
    ((float4 *)o)[(size_t)AT * 2 + 1] = make_float4(v.x + c, v.y + c, v.z + c, v.w + c);
}
__global__ void eight_turned(ARGS) // through shared memory, so that lanes load neighbours
{
    __shared__ float s[256 * 9];
    int t = threadIdx.x;
    const float *p = a + (size_t)blockIdx.x * 2048;
    for (int k = t; k < 2048; k += 256) s[k / 8 * 9 + k % 8] = p[k];
    __syncthreads();
    float c = b[blockIdx.x], sum = 0;
    for (int k = 0; k < 8; k++) { sum += s[t * 9 + k]; s[t * 9 + k] = sum + c; }
    __syncthreads();
    for (int k = t; k < 2048; k += 256) o[(size_t)blockIdx.x * 2048 + k] = s[k / 8 * 9 + k % 8];
}
// ---- segments
__device__ __forceinline__ unsigned segment_length(unsigned i) { return 32 + (mix(i) & 63); }
__global__ void segment_thread(ARGS) // segments of 32 to 95 words, 128 apart, a thread each
{
    unsigned i = AT, length = segment_length(i);
    const float *p = a + (size_t)i * 128;
    float s = 0;
    for (unsigned k = 0; k < length; k++) s += p[k];
    o[i] = s;
}
__global__ void segment_warp(ARGS) // a warp each
{
    unsigned i = AT / 32, lane = threadIdx.x % 32, length = segment_length(i);
    float s = 0;
    for (unsigned k = lane; k < length; k += 32) s += a[(size_t)i * 128 + k];
    s = warp_sum(s);
    if (lane == 0) o[i] = s;
}
// ---- sparse rows
__global__ void csr_thread(ARGS) // 8 to 23 elements a row, 32 apart, a thread a row
{
    unsigned row = AT, length = 8 + mix(row) % 16, m = n * n / 16 - 1;
    const float *p = a + (size_t)row * 32;
    float s = 0;
    for (unsigned k = 0; k < length; k++) s += p[k] * b[(row + (BITS(p[k]) >> 9 & 1023)) & m];
    o[row] = s;
}
__global__ void csr_eights(ARGS) // eight lanes a row
{
    unsigned row = AT / 8, lane = threadIdx.x % 8, length = 8 + mix(row) % 16, m = n * n / 16 - 1;
    const float *p = a + (size_t)row * 32;
    float s = 0;
    for (unsigned k = lane; k < length; k += 8) s += p[k] * b[(row + (BITS(p[k]) >> 9 & 1023)) & m];
    for (int d = 4; d > 0; d >>= 1) s += __shfl_down_sync(FULL, s, d, 8);
    if (lane == 0) o[row] = s;
}
__global__ void ell_rows(ARGS) // eight elements a row, row after row
{
    unsigned row = AT, m = n * n / 16 - 1;
    float s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) { float v = a[(size_t)row * 8 + k]; s += v * b[(row * 8 + (BITS(v) >> 10 & 255)) & m]; }
    o[row] = s;
}
__global__ void ell_columns(ARGS) // the same, column after column
{
    unsigned row = AT, rows = gridDim.x * blockDim.x, m = n * n / 16 - 1;
    float s = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) { float v = a[(size_t)k * rows + row]; s += v * b[(row * 8 + (BITS(v) >> 10 & 255)) & m]; }
    o[row] = s;
}
// ---- stars
__global__ void star_global(ARGS) // radius 3 in x and y, from global memory
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= n - 3 || y >= n - 3) return;
    const float *p = a + (size_t)y * n + x;
    float s = p[0];
#pragma unroll
    for (int k = 1; k <= 3; k++) s += taps[k] * (p[k] + p[-k] + p[k * n] + p[-k * n]);
    o[(size_t)y * n + x] = s;
}
__global__ void star_tile(ARGS) // the same through a tile of shared memory
{
    __shared__ float s[14][38];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 8 - 3;
    for (int y = ty; y < 14; y += 8)
        for (int x = tx; x < 38; x += 32) { int u = min(max(x0 + x, 0), n - 1), v = min(max(y0 + y, 0), n - 1); s[y][x] = a[(size_t)v * n + u]; }
    __syncthreads();
    float sum = s[ty + 3][tx + 3];
#pragma unroll
    for (int k = 1; k <= 3; k++) sum += taps[k] * (s[ty + 3][tx + 3 + k] + s[ty + 3][tx + 3 - k] + s[ty + 3 + k][tx + 3] + s[ty + 3 - k][tx + 3]);
    o[(size_t)(y0 + 3 + ty) * n + x0 + 3 + tx] = sum;
}
__global__ void cube_27(ARGS) // all 27 neighbours in 64 x 64 x planes
{
    int x = threadIdx.x, y = blockIdx.x % 16 * 4 + threadIdx.y, z = blockIdx.x / 16, planes = n * n / 4096;
    if (x < 1 || y < 1 || z < 1 || x > 62 || y > 62 || z > planes - 2) return;
    float s = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) s += a[(size_t)(z + k) * 4096 + (y + j) * 64 + x + i];
    o[(size_t)z * 4096 + y * 64 + x] = s / 27;
}
// ---- convolutions
__global__ void fir_shared(ARGS) // 33 taps in constant memory, signal in shared memory
{
    __shared__ float s[288];
    int t = threadIdx.x, i = AT;
    s[t + 16] = a[i];
    if (t < 16) { s[t] = i >= 16 ? a[i - 16] : 0; s[t + 272] = i + 256 < n * n ? a[i + 256] : 0; }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 33; k++) sum += taps[k] * s[t + k];
    o[i] = sum;
}
__global__ void conv_channels(ARGS) // 3 x 3, eight channels to eight, weights in shared memory
{
    __shared__ float w[8 * 8 * 9];
    int t = threadIdx.y * 32 + threadIdx.x, side = n / 4, x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int k = t; k < 576; k += 256) w[k] = b[k];
    __syncthreads();
    if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1) return;
    float sum[8] = {};
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 9; k++) {
            float v = a[(size_t)c * side * side + (y + k / 3 - 1) * side + x + k % 3 - 1];
#pragma unroll
            for (int f = 0; f < 8; f++) sum[f] += v * w[(c * 9 + k) * 8 + f];
        }
    for (int f = 0; f < 8; f++) o[(size_t)f * side * side + y * side + x] = fmaxf(sum[f], 0);
}
__global__ void box_tile(ARGS) // 11 x 11 by rows and columns, in shared memory
{
    __shared__ float s[26][44], r[26][33];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 5, y0 = blockIdx.y * 16 - 5;
    for (int k = ty * 32 + tx; k < 26 * 42; k += 512) { int u = min(max(x0 + k % 42, 0), n - 1), v = min(max(y0 + k / 42, 0), n - 1); s[k / 42][k % 42] = a[(size_t)v * n + u]; }
    __syncthreads();
    for (int y = ty; y < 26; y += 16) { float sum = 0; for (int k = 0; k < 11; k++) sum += s[y][tx + k]; r[y][tx] = sum; }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 11; k++) sum += r[ty + k][tx];
    o[(size_t)(y0 + 5 + ty) * n + x0 + 5 + tx] = sum / 121;
}
// ---- bodies
__device__ __forceinline__ void pull(float4 p, float4 q, float3 &f)
{
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), k = q.w * r * r * r;
    f.x += k * dx; f.y += k * dy; f.z += k * dz;
}
__global__ void nbody_direct(ARGS) // each of 8 n bodies against 1024, from global memory
{
    float4 p = ((const float4 *)a)[AT];
    float3 f = {0, 0, 0};
    for (int k = 0; k < 1024; k++) pull(p, ((const float4 *)b)[k], f);
    ((float4 *)o)[AT] = make_float4(f.x, f.y, f.z, 0);
}
__global__ void nbody_tile(ARGS) // tile by tile through shared memory
{
    __shared__ float4 s[128];
    float4 p = ((const float4 *)a)[AT];
    float3 f = {0, 0, 0};
    for (int tile = 0; tile < 1024; tile += 128) {
        s[threadIdx.x] = ((const float4 *)b)[tile + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; k++) pull(p, s[k], f);
        __syncthreads();
    }
    ((float4 *)o)[AT] = make_float4(f.x, f.y, f.z, 0);
}
// ---- clusters and counts
__global__ void kmeans_step(ARGS) // four coordinates, 16 centres, sums by atomics in shared memory
{
    __shared__ float4 centre[16];
    __shared__ int count[16];
    int t = threadIdx.x, best = 0;
    if (t < 16) { centre[t] = ((const float4 *)b)[t]; count[t] = 0; }
    __syncthreads();
    float4 p = ((const float4 *)a)[AT];
    float least = 1e30f;
    for (int k = 0; k < 16; k++) { float4 c = centre[k]; c.x -= p.x; c.y -= p.y; c.z -= p.z; c.w -= p.w; float d = dot4(c, c); if (d < least) { least = d; best = k; } }
    atomicAdd(&count[best], 1);
    ((int *)o)[64 + AT] = best;
    __syncthreads();
    if (t < 16) atomicAdd((int *)o + t, count[t]);
}
__global__ void bytes_single(ARGS) // 256 bins, a byte a load, 16 a thread
{
    __shared__ unsigned bin[256];
    int t = threadIdx.x;
    bin[t] = 0;
    __syncthreads();
    const unsigned char *p = (const unsigned char *)a + (size_t)blockIdx.x * 4096;
    for (int k = 0; k < 16; k++) atomicAdd(&bin[p[k * 256 + t]], 1);
    __syncthreads();
    if (bin[t]) atomicAdd((unsigned *)o + t, bin[t]);
}
__global__ void bytes_sixteen(ARGS) // sixteen bytes a load
{
    __shared__ unsigned bin[256];
    int t = threadIdx.x;
    bin[t] = 0;
    __syncthreads();
    uint4 v = ((const uint4 *)a)[AT];
    unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; k++) atomicAdd(&bin[w[k / 4] >> k % 4 * 8 & 255], 1);
    __syncthreads();
    if (bin[t]) atomicAdd((unsigned *)o + t, bin[t]);
}
__global__ void extremes(ARGS) // smallest, largest and how many above a limit, by atomics
{
    __shared__ int low, high;
    __shared__ unsigned many;
    if (threadIdx.x == 0) { low = 0x7fffffff; high = -0x7fffffff; many = 0; }
    __syncthreads();
    float4 v = ((const float4 *)a)[AT];
    int u = (int)(1e6f * fminf(fminf(v.x, v.y), fminf(v.z, v.w))), w = (int)(1e6f * fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    atomicMin(&low, u); atomicMax(&high, w);
    if (w > 400000) atomicAdd(&many, 1);
    __syncthreads();
    if (threadIdx.x == 0) { atomicMin((int *)o, low); atomicMax((int *)o + 32, high); atomicAdd((unsigned *)o + 64, many); }
}
// ---- what is kept
__global__ void keep_each(ARGS) // those above a limit, one atomic each; a counter a block of 64K words
{
    float v = a[AT];
    if (v > 0.25f) { unsigned at = atomicAdd((unsigned *)o + (AT >> 16) * 64, 1); o[n * n / 2 + (at & 32767)] = v; }
}
__global__ void keep_warp(ARGS) // one atomic a warp
{
    float v = a[AT];
    unsigned votes = __ballot_sync(FULL, v > 0.25f), lane = threadIdx.x % 32, base = 0;
    if (lane == 0) base = atomicAdd((unsigned *)o + (AT >> 16) * 64, __popc(votes));
    base = __shfl_sync(FULL, base, 0);
    if (v > 0.25f) o[n * n / 2 + ((base + __popc(votes & ((1u << lane) - 1))) & 32767)] = v;
}
// ---- texts
__global__ void find_four(ARGS) // a word of four at each byte, from global memory
{
    const unsigned char *p = (const unsigned char *)a;
    size_t i = AT;
    unsigned hit = 0;
    if (i + 4 < (size_t)n * n * 4) hit = (p[i] & 15) == 4 && (p[i + 1] & 15) == 7 && (p[i + 2] & 15) == 1 && (p[i + 3] & 15) == 9;
    unsigned votes = __ballot_sync(FULL, hit);
    if (threadIdx.x % 32 == 0) ((unsigned *)o)[i / 32] = votes;
}
__global__ void shift_or(ARGS) // 64 bytes a thread through a bit mask of eight letters
{
    __shared__ unsigned mask[16];
    if (threadIdx.x < 16) mask[threadIdx.x] = ~(BITS(b[threadIdx.x]) & 0xff);
    __syncthreads();
    const uint4 *p = (const uint4 *)a + (size_t)AT * 4;
    unsigned d = ~0u, hits = 0;
    for (int k = 0; k < 4; k++) {
        uint4 v = p[k];
        unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int i = 0; i < 16; i++) { d = d << 1 | mask[w[i / 4] >> i % 4 * 8 & 15]; hits += ~d >> 7 & 1; }
    }
    ((unsigned *)o)[AT] = hits;
}
// ---- sorting
__global__ void bitonic_block(ARGS) // 1024 words in shared memory, 512 threads
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    const float *p = a + (size_t)blockIdx.x * 1024;
    s[t] = p[t]; s[t + 512] = p[t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (stride - 1)), j = i + stride;
            float u = s[i], v = s[j];
            if ((u > v) == ((i & size) == 0)) { s[i] = v; s[j] = u; }
        }
    __syncthreads();
    o[(size_t)blockIdx.x * 1024 + t] = s[t]; o[(size_t)blockIdx.x * 1024 + t + 512] = s[t + 512];
}
__global__ void odd_even(ARGS) // 128 words by neighbours, 64 threads
{
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *p = a + (size_t)blockIdx.x * 128;
    s[t] = p[t]; s[t + 64] = p[t + 64];
    for (int k = 0; k < 128; k++) {
        __syncthreads();
        int i = 2 * t + (k & 1);
        if (i < 127 && s[i] > s[i + 1]) { float u = s[i]; s[i] = s[i + 1]; s[i + 1] = u; }
    }
    __syncthreads();
    o[(size_t)blockIdx.x * 128 + t] = s[t]; o[(size_t)blockIdx.x * 128 + t + 64] = s[t + 64];
}
__global__ void radix_count(ARGS) // 16 digits, a column of counters of its own for each thread
{
    __shared__ unsigned char count[16][128];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++) count[k][t] = 0;
    __syncthreads();
    const unsigned *p = (const unsigned *)a + (size_t)blockIdx.x * 4096;
    for (int k = 0; k < 32; k++) count[p[k * 128 + t] >> 12 & 15][t]++;
    __syncthreads();
    int digit = t / 8, sum = 0;
    for (int k = 0; k < 4; k++) { unsigned w = ((unsigned *)count[digit])[t % 8 * 4 + k]; sum += (w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24); }
    for (int d = 4; d > 0; d >>= 1) sum += __shfl_down_sync(FULL, sum, d, 8);
    if (t % 8 == 0) ((int *)o)[digit * gridDim.x + blockIdx.x] = sum;
}
// ---- transforms
__global__ void fft_four(ARGS) // 1024 complex values, radix 4, 256 threads
{
    __shared__ float re[1024], im[1024];
    int t = threadIdx.x;
    const float2 *p = (const float2 *)a + (size_t)blockIdx.x * 1024;
    float2 x[4];
#pragma unroll
    for (int k = 0; k < 4; k++) x[k] = p[t + 256 * k];
    for (int m = 1; m < 1024; m *= 4) {
        int k = t & (m - 1);
#pragma unroll
        for (int r = 1; r < 4; r++) { float c, s; __sincosf(-1.5707963f * r * k / m, &s, &c); x[r] = make_float2(x[r].x * c - x[r].y * s, x[r].x * s + x[r].y * c); }
        float2 e = make_float2(x[0].x + x[2].x, x[0].y + x[2].y), f = make_float2(x[0].x - x[2].x, x[0].y - x[2].y), g = make_float2(x[1].x + x[3].x, x[1].y + x[3].y), h = make_float2(x[1].y - x[3].y, x[3].x - x[1].x);
        int at = (t - k) * 4 + k;
        __syncthreads();
        re[at] = e.x + g.x; re[at + m] = f.x + h.x; re[at + 2 * m] = e.x - g.x; re[at + 3 * m] = f.x - h.x;
        im[at] = e.y + g.y; im[at + m] = f.y + h.y; im[at + 2 * m] = e.y - g.y; im[at + 3 * m] = f.y - h.y;
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; r++) x[r] = make_float2(re[t + 256 * r], im[t + 256 * r]);
    }
#pragma unroll
    for (int k = 0; k < 4; k++) ((float2 *)o)[(size_t)blockIdx.x * 1024 + t + 256 * k] = x[k];
}
__global__ void ntt_256(ARGS) // modulo 12289 in shared memory, 128 threads
{
    __shared__ unsigned s[256];
    int t = threadIdx.x;
    const unsigned *p = (const unsigned *)a + (size_t)blockIdx.x * 256;
    s[t] = p[t] % 12289; s[t + 128] = p[t + 128] % 12289;
    for (int m = 1; m < 256; m *= 2) {
        __syncthreads();
        int k = t & (m - 1), i = 2 * t - k, w = 7 * k * m % 12289;
        unsigned u = s[i], v = s[i + m] * w % 12289;
        s[i] = (u + v) % 12289; s[i + m] = (u + 12289 - v) % 12289;
    }
    __syncthreads();
    ((unsigned *)o)[(size_t)blockIdx.x * 256 + t] = s[t]; ((unsigned *)o)[(size_t)blockIdx.x * 256 + t + 128] = s[t + 128];
}
// ---- transposes
template <int PAD> __device__ __forceinline__ void turn_pairs(float *o, const float *a, int n)
{
    __shared__ float2 s[32][32 + PAD];
    int w = n / 2, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) s[threadIdx.y + k][threadIdx.x] = ((const float2 *)a)[(size_t)(y + k) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) ((float2 *)o)[(size_t)(y + k) * n + x] = s[threadIdx.x][threadIdx.y + k];
}
__global__ void turn_flat(ARGS) { turn_pairs<0>(o, a, n); }   // float2, 32 x 32
__global__ void turn_padded(ARGS) { turn_pairs<1>(o, a, n); } // a column more
__global__ void turn_swizzled(ARGS) // x xor y instead
{
    __shared__ float2 s[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, w = n / 2, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (int k = 0; k < 32; k += 8) s[ty + k][tx ^ (ty + k)] = ((const float2 *)a)[(size_t)(y + k) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx; y = blockIdx.x * 32 + ty;
    for (int k = 0; k < 32; k += 8) ((float2 *)o)[(size_t)(y + k) * n + x] = s[tx][(ty + k) ^ tx];
}
__global__ void turn_bytes4(ARGS) // 4 x 4 bytes a thread by permutations, 2n squared bytes
{
    int w = n / 2, x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned *p = (const unsigned *)a + (size_t)y * 4 * w + x;
    unsigned r0 = p[0], r1 = p[w], r2 = p[2 * w], r3 = p[3 * w];
    unsigned q0 = __byte_perm(r0, r1, 0x5140), q1 = __byte_perm(r2, r3, 0x5140), q2 = __byte_perm(r0, r1, 0x7362), q3 = __byte_perm(r2, r3, 0x7362);
    unsigned *q = (unsigned *)o + (size_t)x * 4 * w + y;
    q[0] = __byte_perm(q0, q1, 0x5410); q[w] = __byte_perm(q0, q1, 0x7632); q[2 * w] = __byte_perm(q2, q3, 0x5410); q[3 * w] = __byte_perm(q2, q3, 0x7632);
}
// ---- block shapes
__device__ __forceinline__ void add_pixel(float *o, const float *a, const float *b, int n)
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[(size_t)y * n + x] = 0.5f * a[(size_t)y * n + x] + b[(size_t)y * n + x];
}
__global__ void add_wide(ARGS) { add_pixel(o, a, b, n); }   // 32 x 8
__global__ void add_square(ARGS) { add_pixel(o, a, b, n); } // 16 x 16
__global__ void add_tall(ARGS) { add_pixel(o, a, b, n); }   // 4 x 64
// ---- products
template <int ROWS, int COLUMNS, int K, int TM, int TN> __device__ __forceinline__ void product(float *c, const float *a, const float *b, int n)
{
    constexpr int TX = COLUMNS / TN, TY = ROWS / TM, THREADS = TX * TY;
    __shared__ float s[ROWS][K + 1], u[K][COLUMNS];
    int t = threadIdx.y * TX + threadIdx.x, row0 = blockIdx.y * ROWS, col0 = blockIdx.x * COLUMNS;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < n; k0 += K) {
        for (int i = t; i < ROWS * K; i += THREADS) { int r = row0 + i / K; s[i / K][i % K] = r < n ? a[(size_t)r * n + k0 + i % K] : 0; }
        for (int i = t; i < K * COLUMNS; i += THREADS) { int col = col0 + i % COLUMNS; u[i / COLUMNS][i % COLUMNS] = col < n ? b[(size_t)(k0 + i / COLUMNS) * n + col] : 0; }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < K; k++) {
            float x[TM], y[TN];
#pragma unroll
            for (int i = 0; i < TM; i++) x[i] = s[threadIdx.y + i * TY][k];
#pragma unroll
            for (int j = 0; j < TN; j++) y[j] = u[k][threadIdx.x + j * TX];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) { int r = row0 + threadIdx.y + i * TY, col = col0 + threadIdx.x + j * TX; if (r < n && col < n) c[(size_t)r * n + col] = sum[i][j]; }
}
__global__ void mm_48x48(ARGS) { product<48, 48, 16, 3, 3>(o, a, b, n); } // 256 threads, nine each, edges guarded
__global__ void mm_64x32(ARGS) { product<64, 32, 16, 4, 4>(o, a, b, n); } // 128 threads
__global__ void mm_32x32(ARGS) { product<32, 32, 16, 2, 2>(o, a, b, n); } // 256 threads, four each
__global__ void mm_ahead(ARGS) // 64 x 64, the next step's words in registers, two buffers
{
    __shared__ float s[2][16][64], u[2][16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, row = t / 4, quad = t % 4 * 4, k = t / 16, col = t % 16 * 4;
    const float *p = a + (size_t)(blockIdx.y * 64 + row) * n + quad, *q = b + (size_t)k * n + blockIdx.x * 64 + col;
    float4 v = *(const float4 *)p, w = *(const float4 *)q;
    float sum[4][4] = {};
    s[0][quad][row] = v.x; s[0][quad + 1][row] = v.y; s[0][quad + 2][row] = v.z; s[0][quad + 3][row] = v.w; *(float4 *)&u[0][k][col] = w;
    __syncthreads();
    for (int k0 = 0, in = 0; k0 < n; k0 += 16, in ^= 1) {
        if (k0 + 16 < n) { v = *(const float4 *)(p + k0 + 16); w = *(const float4 *)(q + (size_t)(k0 + 16) * n); }
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 x = *(float4 *)&s[in][i][ty * 4], y = *(float4 *)&u[in][i][tx * 4];
            float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++) sum[r][c] += xs[r] * ys[c];
        }
        if (k0 + 16 < n) { s[in ^ 1][quad][row] = v.x; s[in ^ 1][quad + 1][row] = v.y; s[in ^ 1][quad + 2][row] = v.z; s[in ^ 1][quad + 3][row] = v.w; *(float4 *)&u[in ^ 1][k][col] = w; }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) *(float4 *)&o[(size_t)(blockIdx.y * 64 + ty * 4 + r) * n + blockIdx.x * 64 + tx * 4] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}
__global__ void mm_doubles(ARGS) // n / 2 squared doubles, 32 x 32, four a thread
{
    __shared__ double s[32][17], u[16][32];
    int m = n / 2, tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const double *p = (const double *)a, *q = (const double *)b;
    double sum[2][2] = {};
    for (int k0 = 0; k0 < m; k0 += 16) {
        for (int i = t; i < 512; i += 256) { s[i / 16][i % 16] = p[(size_t)(blockIdx.y * 32 + i / 16) * m + k0 + i % 16]; u[i / 32][i % 32] = q[(size_t)(k0 + i / 32) * m + blockIdx.x * 32 + i % 32]; }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) { double x = s[ty][k], y = s[ty + 16][k], v = u[k][tx], w = u[k][tx + 16]; sum[0][0] += x * v; sum[0][1] += x * w; sum[1][0] += y * v; sum[1][1] += y * w; }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) ((double *)o)[(size_t)(blockIdx.y * 32 + ty + 16 * i) * m + blockIdx.x * 32 + tx + 16 * j] = sum[i][j];
}
__global__ void mm_dp4a(ARGS) // bytes, four at a time: n squared times n squared, 64 x 64, 4 x 4 a thread
{
    __shared__ int s[64][9], u[64][9];
    int w = n / 4, tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, sum[4][4] = {};
    for (int k0 = 0; k0 < w; k0 += 8) {
        for (int i = t; i < 512; i += 256) { s[i / 8][i % 8] = ((const int *)a)[(size_t)(blockIdx.y * 64 + i / 8) * w + k0 + i % 8]; u[i / 8][i % 8] = ((const int *)b)[(size_t)(blockIdx.x * 64 + i / 8) * w + k0 + i % 8]; }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sum[i][j] = __dp4a(s[ty + 16 * i][k], u[tx + 16 * j][k], sum[i][j]);
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) ((int *)o)[(size_t)(blockIdx.y * 64 + ty + 16 * i) * n + blockIdx.x * 64 + tx + 16 * j] = sum[i][j];
}
__global__ void mm_pairs(ARGS) // n squared halves, 32 x 64 a block, two columns a half2, 4 x 2 a thread
{
    __shared__ half s[32][34];
    __shared__ half2 u[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, w = n / 2;
    half2 sum[4] = {};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = 0; i < 32; i += 8) { s[ty + i][tx] = ((const half *)a)[(size_t)(blockIdx.y * 32 + ty + i) * n + k0 + tx]; u[ty + i][tx] = ((const half2 *)b)[(size_t)(k0 + ty + i) * w + blockIdx.x * 32 + tx]; }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; k++) { half2 v = u[k][tx]; for (int i = 0; i < 4; i++) sum[i] = __hfma2(__half2half2(s[ty + 8 * i][k]), v, sum[i]); }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) ((half2 *)o)[(size_t)(blockIdx.y * 32 + ty + 8 * i) * w + blockIdx.x * 32 + tx] = sum[i];
}
// ---- many small matrices
__global__ void batch_32(ARGS) // 32 x 32 times 32 x 32, a block each
{
    __shared__ float s[32][33], u[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    size_t at = (size_t)blockIdx.x * 1024;
    for (int k = 0; k < 32; k += 8) { s[ty + k][tx] = a[at + (ty + k) * 32 + tx]; u[ty + k][tx] = b[at + (ty + k) * 32 + tx]; }
    __syncthreads();
    for (int r = ty; r < 32; r += 8) { float sum = 0; for (int k = 0; k < 32; k++) sum += s[r][k] * u[k][tx]; o[at + r * 32 + tx] = sum; }
}
__global__ void batch_lu(ARGS) // 16 x 16 without pivots, a block of 256 each
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    size_t at = (size_t)blockIdx.x * 256 + y * 16 + x;
    s[y][x] = a[at] + (x == y ? 8 : 0);
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (y > k && x == k) s[y][k] /= s[k][k];
        __syncthreads();
        if (y > k && x > k) s[y][x] -= s[y][k] * s[k][x];
        __syncthreads();
    }
    o[at] = s[y][x];
}
// ---- copies by the way
__global__ void ring_one(ARGS) // 16 tiles of 1024 words, each waited for before it is used
{
    __shared__ __align__(16) float s[1024];
    int t = threadIdx.x;
    size_t at = (size_t)blockIdx.x * 16384;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        __pipeline_memcpy_async(&s[4 * t], a + at + k * 1024 + 4 * t, 16);
        __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();
        for (int i = 0; i < 4; i++) sum = sum * 0.5f + s[(t + i * 256 + k) & 1023];
        __syncthreads();
    }
    o[AT] = sum;
}
__global__ void ring_two(ARGS) // the next tile on its way meanwhile
{
    __shared__ __align__(16) float s[2][1024];
    int t = threadIdx.x;
    size_t at = (size_t)blockIdx.x * 16384;
    float sum = 0;
    __pipeline_memcpy_async(&s[0][4 * t], a + at + 4 * t, 16); __pipeline_commit();
    for (int k = 0; k < 16; k++) {
        if (k < 15) __pipeline_memcpy_async(&s[(k + 1) & 1][4 * t], a + at + (k + 1) * 1024 + 4 * t, 16);
        __pipeline_commit(); __pipeline_wait_prior(1); __syncthreads();
        for (int i = 0; i < 4; i++) sum = sum * 0.5f + s[k & 1][(t + i * 256 + k) & 1023];
        __syncthreads();
    }
    o[AT] = sum;
}
__global__ void roles(ARGS) // two warps load, six add up, two buffers, 16 tiles of 1024 words
{
    __shared__ float4 s[2][256];
    int t = threadIdx.x, warp = t / 32;
    const float4 *p = (const float4 *)a + (size_t)blockIdx.x * 4096;
    float sum = 0;
    if (warp < 2) for (int i = t; i < 256; i += 64) s[0][i] = p[i];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        if (warp < 2) { if (k < 15) for (int i = t; i < 256; i += 64) s[(k + 1) & 1][i] = p[(k + 1) * 256 + i]; }
        else for (int i = t - 64; i < 256; i += 192) { float4 v = s[k & 1][i]; sum += sqrtf(dot4(v, v)); }
        __syncthreads();
    }
    if (warp >= 2) o[(size_t)blockIdx.x * 192 + t - 64] = sum;
}
// ---- tables
__global__ void table_constant(ARGS) // 256 words in constant memory, at each lane's own place
{
    uchar4 v = ((const uchar4 *)a)[AT];
    o[AT] = table[v.x] + table[v.y] + table[v.z];
}
__global__ void table_shared(ARGS) // in shared memory
{
    __shared__ float s[256];
    s[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    uchar4 v = ((const uchar4 *)a)[AT];
    o[AT] = s[v.x] + s[v.y] + s[v.z];
}
__global__ void table_global(ARGS) // in global memory
{
    uchar4 v = ((const uchar4 *)a)[AT];
    o[AT] = b[v.x] + b[v.y] + b[v.z];
}
__global__ void embed_bag(ARGS) // four rows of 64 words from a table, averaged; 16 lanes a bag
{
    unsigned bag = AT / 16, lane = threadIdx.x % 16;
    float4 s = {0, 0, 0, 0};
    for (int k = 0; k < 4; k++) { unsigned row = mix(bag * 4 + k) % (n * n / 256); float4 v = ((const float4 *)b)[row * 16 + lane]; s.x += v.x; s.y += v.y; s.z += v.z; s.w += v.w; }
    ((float4 *)o)[(size_t)bag * 16 + lane] = make_float4(s.x / 4, s.y / 4, s.z / 4, s.w / 4);
}
// ---- cells and scores
__global__ void life_bytes(ARGS) // a byte a cell, 2n x 2n, from global memory
{
    int w = 2 * n, x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
    const unsigned char *p = (const unsigned char *)a + (size_t)y * w + x;
    int s = 0;
    for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) if (i || j) s += p[j * w + i] & 1;
    ((unsigned char *)o)[(size_t)y * w + x] = s == 3 || (s == 2 && (p[0] & 1));
}
__global__ void life_tile(ARGS) // through a tile of bytes
{
    __shared__ unsigned char s[10][34];
    int w = 2 * n, tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
    for (int k = ty * 32 + tx; k < 340; k += 256) { int u = (x0 + k % 34 + w) % w, v = (y0 + k / 34 + w) % w; s[k / 34][k % 34] = ((const unsigned char *)a)[(size_t)v * w + u] & 1; }
    __syncthreads();
    int c = 0;
    for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) if (i != 1 || j != 1) c += s[ty + j][tx + i];
    ((unsigned char *)o)[(size_t)(y0 + 1 + ty) * w + x0 + 1 + tx] = c == 3 || (c == 2 && s[ty + 1][tx + 1]);
}
__global__ void sw_affine(ARGS) // Smith and Waterman, gaps opened and extended, 64 x 64 cells a block
{
    __shared__ int h[3][65], e[2][65];
    __shared__ unsigned char q[64];
    int t = threadIdx.x, f = -99, best = 0;
    const unsigned *p = (const unsigned *)a + (size_t)blockIdx.x * 64;
    unsigned c = p[t] >> 10 & 3;
    q[t] = ((const unsigned *)b)[blockIdx.x * 64 + t] >> 12 & 3;
    for (int k = 0; k < 3; k++) h[k][t + 1] = 0;
    e[0][t + 1] = e[1][t + 1] = -99;
    if (t == 0) { h[0][0] = h[1][0] = h[2][0] = 0; e[0][0] = e[1][0] = -99; }
    __syncthreads();
    for (int d = 0; d < 127; d++) {
        int j = d - t, *now = h[d % 3], *last = h[(d + 2) % 3], *old = h[(d + 1) % 3];
        if (j >= 0 && j < 64) {
            int up = max(e[(d + 1) & 1][t] - 1, last[t] - 3);
            f = max(f - 1, last[t + 1] - 3);
            int v = max(max(old[t] + (c == q[j] ? 2 : -1), 0), max(up, f));
            now[t + 1] = v; e[d & 1][t + 1] = up; best = max(best, v);
        }
        __syncthreads();
    }
    ((int *)o)[AT] = best;
}
// ---- arithmetic
__global__ void mandel_float(ARGS) // at most 256 steps
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    float u = 3.0f * x / n - 2, v = 2.4f * y / n - 1.2f, p = 0, q = 0;
    while (k < 256 && p * p + q * q < 4) { float r = p * p - q * q + u; q = 2 * p * q + v; p = r; k++; }
    ((int *)o)[(size_t)y * n + x] = k;
}
__global__ void mandel_double(ARGS) // the same with doubles, at most 64
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    double u = 3.0 * x / n - 2, v = 2.4 * y / n - 1.2, p = 0, q = 0;
    while (k < 64 && p * p + q * q < 4) { double r = p * p - q * q + u; q = 2 * p * q + v; p = r; k++; }
    ((int *)o)[(size_t)y * n + x] = k;
}
__global__ void asian_paths(ARGS) // 32 steps of a random path each, exponentials and logarithms
{
    unsigned seed = mix(AT) | 1;
    float price = 100, sum = 0;
    for (int k = 0; k < 32; k++) {
        seed = seed * 1664525u + 1013904223u; float u = ((seed >> 8) + 1) * 5.9604645e-8f;
        seed = seed * 1664525u + 1013904223u; float v = (seed >> 8) * 5.9604645e-8f;
        price *= __expf(0.0005f + 0.02f * sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v));
        sum += price;
    }
    o[AT] = fmaxf(sum / 32 - 100, 0);
}
__global__ void gcd_pairs(ARGS) // Euclid's, one remainder a turn
{
    unsigned u = BITS(a[AT]) & 0xffffff, v = BITS(b[n * n - 1 - AT]) & 0xffffff;
    while (v) { unsigned r = u % v; u = v; v = r; }
    ((unsigned *)o)[AT] = u;
}
__global__ void morton_code(ARGS) // three coordinates of ten bits, four points a thread
{
    float4 v = ((const float4 *)a)[AT], w = ((const float4 *)b)[AT];
    float xs[4] = {v.x, v.y, v.z, v.w}, ys[4] = {w.x, w.y, w.z, w.w};
    unsigned r[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned c[3] = {(unsigned)((xs[k] + 0.5f) * 1023), (unsigned)((ys[k] + 0.5f) * 1023), (unsigned)(fabsf(xs[k] * ys[k]) * 1023)};
#pragma unroll
        for (int i = 0; i < 3; i++) { unsigned q = c[i]; q = (q | q << 16) & 0x30000ff; q = (q | q << 8) & 0x300f00f; q = (q | q << 4) & 0x30c30c3; c[i] = (q | q << 2) & 0x9249249; }
        r[k] = c[0] | c[1] << 1 | c[2] << 2;
    }
    ((uint4 *)o)[AT] = make_uint4(r[0], r[1], r[2], r[3]);
}
// ---- unrolling
__global__ void poly_rolled(ARGS) // 64 rounds of one chain, not unrolled
{
    float x = a[AT], s = b[AT];
#pragma unroll 1
    for (int k = 0; k < 64; k++) s = s * x + 0.5f;
    o[AT] = s;
}
__global__ void poly_unrolled(ARGS) // the same unrolled
{
    float x = a[AT], s = b[AT];
#pragma unroll
    for (int k = 0; k < 64; k++) s = s * x + 0.5f;
    o[AT] = s;
}
__global__ void poly_chains(ARGS) // four chains of 16
{
    float x = a[AT], s[4] = {b[AT], 1, 2, 3};
#pragma unroll
    for (int k = 0; k < 16; k++)
#pragma unroll
        for (int i = 0; i < 4; i++) s[i] = s[i] * x + 0.5f;
    o[AT] = s[0] + s[1] + s[2] + s[3];
}
// ---- trees
__global__ void jump_parents(ARGS) // each asks its parent's parent until nothing changes
{
    unsigned i = AT, p = i ? BITS(a[i]) % i : 0;
    while (1) { unsigned q = p ? BITS(a[p]) % p : 0; if (q == p) break; p = q; }
    ((unsigned *)o)[i] = p;
}
__global__ void hook_edges(ARGS) // the larger end's label falls to the smaller's
{
    unsigned i = AT, m = n * n - 1, u = i & ~7u, v = (i + (BITS(a[i]) >> 8 & 255)) & m;
    unsigned high = max(u, v), low = min(u, v);
    if (high != low) atomicMin((unsigned *)o + high, low);
}
// ---- optimisers and pictures
__global__ void adam_step(ARGS) // gradients, two moments and weights, each a quarter
{
    int i = AT, m = n * n / 4;
    float g = a[i], u = 0.9f * a[i + m] + 0.1f * g, v = 0.999f * fabsf(a[i + 2 * m]) + 0.001f * g * g;
    o[i] = a[i + 3 * m] - 0.001f * u / (sqrtf(v) + 1e-8f); o[i + m] = u; o[i + 2 * m] = v;
}
__global__ void rope_floats(ARGS) // neighbours turned by their position
{
    unsigned i = AT, d = i % 32, position = i / 512 & 4095;
    float2 v = ((const float2 *)a)[i];
    float angle = position * __powf(10000.0f, -(float)d / 32), c = cosf(angle), s = sinf(angle);
    ((float2 *)o)[i] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}
__global__ void patches(ARGS) // im2col: 3 x 3 of a picture of n / 4 squared, nine planes out
{
    int side = n / 4, x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int k = 0; k < 9; k++) { int u = x + k % 3 - 1, v = y + k / 3 - 1; o[(size_t)k * side * side + y * side + x] = u >= 0 && v >= 0 && u < side && v < side ? a[(size_t)v * side + u] : 0; }
}
__global__ void hue(ARGS) // red, green and blue to hue and value, a pixel a thread
{
    uchar4 p = ((const uchar4 *)a)[AT];
    int most = max(p.x, max(p.y, p.z)), least = min(p.x, min(p.y, p.z)), d = most - least;
    float h = d == 0 ? 0 : most == p.x ? (float)(p.y - p.z) / d : most == p.y ? 2 + (float)(p.z - p.x) / d : 4 + (float)(p.x - p.y) / d;
    ((half2 *)o)[AT] = __floats2half2_rn(h / 6, most / 255.0f);
}
#define LADDER "ladder_g.def"
#include "ladder_run.h"
