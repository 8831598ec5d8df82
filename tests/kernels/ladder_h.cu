// The eighth ladder: pairs of kernels that do one thing in two ways, of kinds that no set before had (merging, blocks in
// sparse rows, video, marching rays, arrays and stacks of a thread's own, edit distance by cells and by bits). Each takes
// (o, a, b, n), three buffers of n * n floats; how they are launched stands in ladder_h.def. Prints microseconds:
// kernel,n,us_median,us_min,us_max,registers. `ladder_h --once` launches each at one small size.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define ARGS float *__restrict__ o, const float *__restrict__ a, const float *__restrict__ b, int n
#define FULL 0xffffffffu
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define BITS(v) __float_as_uint(v)

__device__ __forceinline__ unsigned mix(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16;
}
__device__ __forceinline__ float dot4(float4 u, float4 v) { return u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w; }
__constant__ float weights[49] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.5f};
__constant__ float nearness[4] = {1, 0.8f, 0.4f, 0.15f};

// ---- what is above a bound, side by side
__global__ void pick_ballot(ARGS) // places by ballots and the warps' counts, one atomic a block
{
    __shared__ unsigned count[8], first;
    int t = threadIdx.x, warp = t / 32;
    float v = a[AT];
    unsigned kept = __ballot_sync(FULL, v > 0.1f);
    if (t % 32 == 0) count[warp] = __popc(kept);
    __syncthreads();
    unsigned before = 0, all = 0;
    for (int k = 0; k < 8; k++) { if (k < warp) before += count[k]; all += count[k]; }
    if (t == 0) first = atomicAdd((unsigned *)o + n * n - 1, all);
    __syncthreads();
    if (v > 0.1f) o[(first + before + __popc(kept & ((1u << t % 32) - 1))) & (n * n / 2 - 1)] = v;
}
__global__ void pick_shared(ARGS) // places by an atomic on the block's own counter
{
    __shared__ unsigned count, first;
    int t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    float v = a[AT];
    unsigned place = 0;
    if (v > 0.1f) place = atomicAdd(&count, 1u);
    __syncthreads();
    if (t == 0) first = atomicAdd((unsigned *)o + n * n - 1, count);
    __syncthreads();
    if (v > 0.1f) o[(first + place) & (n * n / 2 - 1)] = v;
}
// ---- 7 x 7
__global__ void conv7_loaded(ARGS) // all from global memory, the weights too
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int j = -3; j <= 3; j++)
#pragma unroll
        for (int i = -3; i <= 3; i++) sum += b[(j + 3) * 7 + i + 3] * a[(size_t)min(max(y + j, 0), n - 1) * n + min(max(x + i, 0), n - 1)];
    o[(size_t)y * n + x] = sum;
}
__global__ void conv7_tile(ARGS) // through a tile, the weights in constant memory
{
    __shared__ float s[14][38];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 8 - 3;
    for (int j = ty; j < 14; j += 8) for (int i = tx; i < 38; i += 32) s[j][i] = a[(size_t)min(max(y0 + j, 0), n - 1) * n + min(max(x0 + i, 0), n - 1)];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 7; j++)
#pragma unroll
        for (int i = 0; i < 7; i++) sum += weights[j * 7 + i] * s[ty + j][tx + i];
    o[(size_t)(y0 + 3 + ty) * n + x0 + 3 + tx] = sum;
}
__global__ void bilateral_seven(ARGS) // weights by distance and by difference, an exponential each
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    float c = a[(size_t)y * n + x], sum = 0, all = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            float v = a[(size_t)min(max(y + j, 0), n - 1) * n + min(max(x + i, 0), n - 1)], d = v - c;
            float w = nearness[abs(i)] * nearness[abs(j)] * __expf(-8 * d * d);
            sum += w * v; all += w;
        }
    o[(size_t)y * n + x] = sum / all;
}
__global__ void bilateral_tile(ARGS) // the same through a tile
{
    __shared__ float s[14][38];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 8 - 3;
    for (int j = ty; j < 14; j += 8) for (int i = tx; i < 38; i += 32) s[j][i] = a[(size_t)min(max(y0 + j, 0), n - 1) * n + min(max(x0 + i, 0), n - 1)];
    __syncthreads();
    float c = s[ty + 3][tx + 3], sum = 0, all = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            float v = s[ty + 3 + j][tx + 3 + i], d = v - c;
            float w = nearness[abs(i)] * nearness[abs(j)] * __expf(-8 * d * d);
            sum += w * v; all += w;
        }
    o[(size_t)(y0 + 3 + ty) * n + x0 + 3 + tx] = sum / all;
}
// ---- sparse rows of 4 x 4 blocks, eight a row, columns anywhere in 65536
__global__ void bsr_thread(ARGS) // a thread a row
{
    unsigned row = AT, at = row / 4 * 8;
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += dot4(((const float4 *)a)[(at + k) * 4 + row % 4], ((const float4 *)b)[mix(at + k) & 16383]);
    o[row] = sum;
}
__global__ void bsr_lanes(ARGS) // a warp four rows, a lane a row of one block
{
    unsigned row = AT / 32, lane = threadIdx.x % 32;
    float sum = dot4(((const float4 *)a)[AT], ((const float4 *)b)[mix(row * 8 + lane / 4) & 16383]);
    for (int d = 16; d >= 4; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
    if (lane < 4) o[row * 4 + lane] = sum;
}
// ---- video: a plane of brightness, one of colour at half the size, to four bytes a pixel
__device__ __forceinline__ unsigned clamped(float v) { return (unsigned)fminf(fmaxf(v, 0), 255); }
__device__ __forceinline__ unsigned coloured(float y, float u, float v)
{
    return clamped(y + 1.402f * v) | clamped(y - 0.344f * u - 0.714f * v) << 8 | clamped(y + 1.772f * u) << 16 | 0xff000000u;
}
__global__ void yuv_each(ARGS) // a thread a pixel
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y;
    uchar2 c = ((const uchar2 *)b)[(size_t)(y / 2) * (n / 2) + x / 2];
    ((unsigned *)o)[(size_t)y * n + x] = coloured(((const unsigned char *)a)[(size_t)y * n + x], c.x - 128.0f, c.y - 128.0f);
}
__global__ void yuv_quad(ARGS) // a thread 2 x 2 pixels
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, w = n / 2;
    uchar2 c = ((const uchar2 *)b)[(size_t)y * w + x];
    uchar2 p = ((const uchar2 *)a)[(size_t)2 * y * w + x], q = ((const uchar2 *)a)[(size_t)(2 * y + 1) * w + x];
    float u = c.x - 128.0f, v = c.y - 128.0f;
    ((uint2 *)o)[(size_t)2 * y * w + x] = make_uint2(coloured(p.x, u, v), coloured(p.y, u, v));
    ((uint2 *)o)[(size_t)(2 * y + 1) * w + x] = make_uint2(coloured(q.x, u, v), coloured(q.y, u, v));
}
// ---- rays
__device__ __forceinline__ float distance_to(float x, float y, float z) // balls without end, and a floor
{
    float u = x - 4 * floorf(x * 0.25f) - 2, w = z - 4 * floorf(z * 0.25f) - 2;
    return fminf(sqrtf(u * u + y * y + w * w) - 1, y + 1.2f);
}
__global__ void march_break(ARGS) // until something is near
{
    float u = (float)(int)AT / n - 0.5f, v = (float)(int)(blockIdx.y * blockDim.y + threadIdx.y) / n - 0.5f, far = 0, scale = rsqrtf(u * u + v * v + 1);
    u *= scale; v *= scale;
    for (int k = 0; k < 48; k++) {
        float d = distance_to(far * u, 0.5f + far * v, far * scale);
        if (d < 0.001f || far > 40) break;
        far += d;
    }
    o[(size_t)(blockIdx.y * blockDim.y + threadIdx.y) * n + AT] = far;
}
__global__ void march_fixed(ARGS) // 48 steps, of length zero from there on
{
    float u = (float)(int)AT / n - 0.5f, v = (float)(int)(blockIdx.y * blockDim.y + threadIdx.y) / n - 0.5f, far = 0, scale = rsqrtf(u * u + v * v + 1);
    u *= scale; v *= scale;
    for (int k = 0; k < 48; k++) {
        float d = distance_to(far * u, 0.5f + far * v, far * scale);
        far += d < 0.001f || far > 40 ? 0 : d;
    }
    o[(size_t)(blockIdx.y * blockDim.y + threadIdx.y) * n + AT] = far;
}
// ---- bounds: where each of sixteen keys stands among 4096 that rise
__global__ void bounds_global(ARGS)
{
    for (int k = 0; k < 16; k++) {
        unsigned i = blockIdx.x * 4096 + k * 256 + threadIdx.x, low = 0;
        float key = (mix(i) & 4095) + a[i];
        for (int step = 2048; step > 0; step >>= 1) if (low + step + b[low + step] <= key) low += step;
        ((unsigned *)o)[i] = low;
    }
}
__global__ void bounds_shared(ARGS)
{
    __shared__ float s[4096];
    for (int k = threadIdx.x; k < 4096; k += 256) s[k] = k + b[k];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        unsigned i = blockIdx.x * 4096 + k * 256 + threadIdx.x, low = 0;
        float key = (mix(i) & 4095) + a[i];
        for (int step = 2048; step > 0; step >>= 1) if (s[low + step] <= key) low += step;
        ((unsigned *)o)[i] = low;
    }
}
// ---- changes that make one string of 32 another of 64, four letters
__global__ void edit_registers(ARGS) // cell by cell, a column in registers
{
    unsigned p[2] = {mix(BITS(a[AT])), mix(BITS(a[AT]) + 1)};
    int d[33];
#pragma unroll
    for (int i = 0; i <= 32; i++) d[i] = i;
    for (int word = 0; word < 4; word++) {
        unsigned text = mix(BITS(b[AT]) + word);
#pragma unroll 1
        for (int j = 0; j < 16; j++, text >>= 2) {
            int corner = d[0];
            d[0]++;
#pragma unroll
            for (int i = 1; i <= 32; i++) {
                int left = d[i], same = (p[(i - 1) / 16] >> (i - 1) % 16 * 2 & 3) == (text & 3);
                d[i] = min(min(d[i - 1], left) + 1, corner + !same);
                corner = left;
            }
        }
    }
    ((int *)o)[AT] = d[32];
}
__global__ void edit_bits(ARGS) // the same by Myers, a column in two words
{
    unsigned p[2] = {mix(BITS(a[AT])), mix(BITS(a[AT]) + 1)}, is[4] = {};
    for (int i = 0; i < 32; i++) {
        unsigned c = p[i / 16] >> i % 16 * 2 & 3;
        for (int k = 0; k < 4; k++) is[k] |= (unsigned)(c == k) << i;
    }
    unsigned up = ~0u, down = 0;
    int score = 32;
    for (int word = 0; word < 4; word++) {
        unsigned text = mix(BITS(b[AT]) + word);
        for (int j = 0; j < 16; j++, text >>= 2) {
            unsigned same = text & 2 ? (text & 1 ? is[3] : is[2]) : (text & 1 ? is[1] : is[0]);
            unsigned x = same | down, h = (((same & up) + up) ^ up) | same, more = down | ~(h | up), less = up & h;
            score += (more >> 31) - (less >> 31);
            more = more << 1 | 1; less <<= 1;
            up = less | ~(x | more); down = more & x;
        }
    }
    ((int *)o)[AT] = score;
}
// ---- sums of the points of each of 64 classes
__global__ void centres_global(ARGS) // four atomics a point
{
    for (int k = 0; k < 8; k++) {
        unsigned i = (blockIdx.x * 8 + k) * 256 + threadIdx.x, c = BITS(b[i]) >> 8 & 63;
        float4 v = ((const float4 *)a)[i];
        atomicAdd(o + c * 4, v.x); atomicAdd(o + c * 4 + 1, v.y); atomicAdd(o + c * 4 + 2, v.z); atomicAdd(o + c * 4 + 3, v.w);
    }
}
__global__ void centres_shared(ARGS) // in shared memory first
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        unsigned i = (blockIdx.x * 8 + k) * 256 + t, c = BITS(b[i]) >> 8 & 63;
        float4 v = ((const float4 *)a)[i];
        atomicAdd(s + c * 4, v.x); atomicAdd(s + c * 4 + 1, v.y); atomicAdd(s + c * 4 + 2, v.z); atomicAdd(s + c * 4 + 3, v.w);
    }
    __syncthreads();
    atomicAdd(o + t, s[t]);
}
// ---- two rising lists of 1024 merged, eight words a thread
__global__ void merge_global(ARGS) // from global memory
{
    const float *p = a + (size_t)blockIdx.x * 1024, *q = b + (size_t)blockIdx.x * 1024 + n * n / 2;
    int end = threadIdx.x * 8, low = max(0, end - 1024), high = min(end, 1024);
    while (low < high) {
        int mid = (low + high) / 2, other = end - 1 - mid;
        if (mid + p[mid] <= other + q[other]) low = mid + 1; else high = mid;
    }
    int i = low, j = end - low;
    for (int k = 0; k < 8; k++) {
        float u = i < 1024 ? i + p[i] : 1e9f, v = j < 1024 ? j + q[j] : 1e9f;
        o[(size_t)blockIdx.x * 2048 + end + k] = fminf(u, v);
        if (u <= v) i++; else j++;
    }
}
__global__ void merge_tile(ARGS) // both in shared memory
{
    __shared__ float p[1024], q[1024];
    for (int k = threadIdx.x; k < 1024; k += 256) { p[k] = k + a[(size_t)blockIdx.x * 1024 + k]; q[k] = k + b[(size_t)blockIdx.x * 1024 + n * n / 2 + k]; }
    __syncthreads();
    int end = threadIdx.x * 8, low = max(0, end - 1024), high = min(end, 1024);
    while (low < high) {
        int mid = (low + high) / 2;
        if (p[mid] <= q[end - 1 - mid]) low = mid + 1; else high = mid;
    }
    int i = low, j = end - low;
    for (int k = 0; k < 8; k++) {
        float u = i < 1024 ? p[i] : 1e9f, v = j < 1024 ? q[j] : 1e9f;
        o[(size_t)blockIdx.x * 2048 + end + k] = fminf(u, v);
        if (u <= v) i++; else j++;
    }
}
// ---- inverses of 4 x 4, a thread each
__device__ __forceinline__ void invert(float4 m[4])
{
    m[0].x += 2; m[1].y += 2; m[2].z += 2; m[3].w += 2;
    float s0 = m[0].x * m[1].y - m[1].x * m[0].y, s1 = m[0].x * m[1].z - m[1].x * m[0].z, s2 = m[0].x * m[1].w - m[1].x * m[0].w;
    float s3 = m[0].y * m[1].z - m[1].y * m[0].z, s4 = m[0].y * m[1].w - m[1].y * m[0].w, s5 = m[0].z * m[1].w - m[1].z * m[0].w;
    float c0 = m[2].x * m[3].y - m[3].x * m[2].y, c1 = m[2].x * m[3].z - m[3].x * m[2].z, c2 = m[2].x * m[3].w - m[3].x * m[2].w;
    float c3 = m[2].y * m[3].z - m[3].y * m[2].z, c4 = m[2].y * m[3].w - m[3].y * m[2].w, c5 = m[2].z * m[3].w - m[3].z * m[2].w;
    float r = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
    float4 p = m[0], q = m[1], u = m[2], v = m[3];
    m[0] = make_float4((q.y * c5 - q.z * c4 + q.w * c3) * r, (p.z * c4 - p.y * c5 - p.w * c3) * r, (v.y * s5 - v.z * s4 + v.w * s3) * r, (u.z * s4 - u.y * s5 - u.w * s3) * r);
    m[1] = make_float4((q.z * c2 - q.x * c5 - q.w * c1) * r, (p.x * c5 - p.z * c2 + p.w * c1) * r, (v.z * s2 - v.x * s5 - v.w * s1) * r, (u.x * s5 - u.z * s2 + u.w * s1) * r);
    m[2] = make_float4((q.x * c4 - q.y * c2 + q.w * c0) * r, (p.y * c2 - p.x * c4 - p.w * c0) * r, (v.x * s4 - v.y * s2 + v.w * s0) * r, (u.y * s2 - u.x * s4 - u.w * s0) * r);
    m[3] = make_float4((q.y * c1 - q.x * c3 - q.z * c0) * r, (p.x * c3 - p.y * c1 + p.z * c0) * r, (v.y * s1 - v.x * s3 - v.z * s0) * r, (u.x * s3 - u.y * s1 + u.z * s0) * r);
}
__global__ void inverse_direct(ARGS) // each thread its own sixteen words
{
    float4 m[4];
    for (int k = 0; k < 4; k++) m[k] = ((const float4 *)a)[(size_t)AT * 4 + k];
    invert(m);
    for (int k = 0; k < 4; k++) ((float4 *)o)[(size_t)AT * 4 + k] = m[k];
}
__global__ void inverse_staged(ARGS) // to and from shared memory, lanes side by side
{
    __shared__ float4 s[640];
    int t = threadIdx.x;
    size_t at = (size_t)blockIdx.x * 512;
    float4 m[4];
    for (int k = t; k < 512; k += 128) s[k / 4 * 5 + k % 4] = ((const float4 *)a)[at + k];
    __syncthreads();
    for (int k = 0; k < 4; k++) m[k] = s[t * 5 + k];
    invert(m);
    for (int k = 0; k < 4; k++) s[t * 5 + k] = m[k];
    __syncthreads();
    for (int k = t; k < 512; k += 128) ((float4 *)o)[at + k] = s[k / 4 * 5 + k % 4];
}
// ---- points that fill a square evenly
__global__ void halton_points(ARGS) // digits in threes and fives
{
    float p[2] = {0, 0};
    for (int d = 0; d < 2; d++) {
        unsigned base = d ? 5 : 3;
        float f = 1;
        for (unsigned i = AT + 1; i; i /= base) { f /= base; p[d] += f * (i % base); }
    }
    o[AT] = p[0] * p[0] + p[1] * p[1] + b[blockIdx.x];
}
__global__ void sobol_points(ARGS) // a word for each bit
{
    unsigned bits = AT ^ AT >> 1, x = 0, y = 0, v = 0x80000000u;
    for (int k = 0; k < 32; k++) {
        if (bits >> k & 1) { x ^= 0x80000000u >> k; y ^= v; }
        v ^= v >> 1;
    }
    float p = x * 2.3283064e-10f, q = y * 2.3283064e-10f;
    o[AT] = p * p + q * q + b[blockIdx.x];
}
// ---- halves
__global__ void axpy_half(ARGS) // one a thread
{
    ((half *)o)[AT] = __hfma(__float2half(0.5f), ((const half *)a)[AT], ((const half *)b)[AT]);
}
__global__ void axpy_half2(ARGS) // two
{
    ((half2 *)o)[AT] = __hfma2(__float2half2_rn(0.5f), ((const half2 *)a)[AT], ((const half2 *)b)[AT]);
}
// ---- first and last axis of 256 x y x 256 changed
__global__ void axes_naive(ARGS)
{
    int x = AT, y = blockIdx.y / 32, z = blockIdx.y % 32 * 8 + threadIdx.y, h = n * n / 65536;
    o[((size_t)x * h + y) * 256 + z] = a[((size_t)z * h + y) * 256 + x];
}
__global__ void axes_tile(ARGS) // by tiles of 32 x 32
{
    __shared__ float s[32][33];
    int tx = threadIdx.x, x0 = blockIdx.x * 32, y = blockIdx.y / 8, z0 = blockIdx.y % 8 * 32, h = n * n / 65536;
    for (int k = threadIdx.y; k < 32; k += 8) s[k][tx] = a[((size_t)(z0 + k) * h + y) * 256 + x0 + tx];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) o[((size_t)(x0 + k) * h + y) * 256 + z0 + tx] = s[tx][k];
}
// ---- a picture at twice the size
__global__ void enlarge_each(ARGS) // a thread a pixel of the larger
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, w = n / 2, i = x / 2, j = y / 2;
    int u = min(max(i + (x & 1 ? 1 : -1), 0), w - 1), v = min(max(j + (y & 1 ? 1 : -1), 0), w - 1);
    const float *p = a + (size_t)j * w, *q = a + (size_t)v * w;
    o[(size_t)y * n + x] = 0.75f * (0.75f * p[i] + 0.25f * p[u]) + 0.25f * (0.75f * q[i] + 0.25f * q[u]);
}
__global__ void enlarge_four(ARGS) // a thread a pixel of the smaller
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, w = n / 2, l = max(x - 1, 0), r = min(x + 1, w - 1);
    float left[3], right[3];
    for (int k = 0; k < 3; k++) {
        const float *p = a + (size_t)min(max(y + k - 1, 0), w - 1) * w;
        float c = 0.75f * p[x];
        left[k] = c + 0.25f * p[l]; right[k] = c + 0.25f * p[r];
    }
    ((float2 *)o)[(size_t)2 * y * w + x] = make_float2(0.75f * left[1] + 0.25f * left[0], 0.75f * right[1] + 0.25f * right[0]);
    ((float2 *)o)[(size_t)(2 * y + 1) * w + x] = make_float2(0.75f * left[1] + 0.25f * left[2], 0.75f * right[1] + 0.25f * right[2]);
}
// ---- running sums, a thread each
__global__ void running_rows(ARGS) // along a row
{
    size_t row = (size_t)AT * n;
    float sum = 0;
    for (int k = 0; k < n; k++) o[row + k] = sum += a[row + k];
}
__global__ void running_columns(ARGS) // down a column
{
    float sum = 0;
    for (int k = 0; k < n; k++) o[(size_t)k * n + AT] = sum += a[(size_t)k * n + AT];
}
// ---- two ways to go
__device__ __forceinline__ float one_way(float x)
{
#pragma unroll 4
    for (int k = 0; k < 64; k++) x = x * x * 0.5f + 0.1f;
    return x;
}
__device__ __forceinline__ float other_way(float x)
{
#pragma unroll 4
    for (int k = 0; k < 32; k++) x = rsqrtf(x * x + 1) - 0.25f;
    return x;
}
__global__ void ways_lanes(ARGS) // by the lane
{
    float x = a[AT];
    if (threadIdx.x % 2) x = one_way(x); else x = other_way(x);
    o[AT] = x;
}
__global__ void ways_warps(ARGS) // by the warp
{
    float x = a[AT];
    if (threadIdx.x / 32 % 2) x = one_way(x); else x = other_way(x);
    o[AT] = x;
}
// ---- sixteen counters a thread, the fullest found
__global__ void bins_local(ARGS) // in an array of its own
{
    unsigned count[16] = {}, most = 0;
    for (int k = 0; k < 32; k++) count[BITS(a[(size_t)blockIdx.x * 8192 + k * 256 + threadIdx.x]) >> 8 & 15]++;
    for (unsigned k = 0; k < 16; k++) most = max(most, count[k] * 16 + k);
    ((unsigned *)o)[AT] = most;
}
__global__ void bins_shared(ARGS) // in shared memory
{
    __shared__ unsigned count[16][256];
    int t = threadIdx.x;
    unsigned most = 0;
    for (int k = 0; k < 16; k++) count[k][t] = 0;
    for (int k = 0; k < 32; k++) count[BITS(a[(size_t)blockIdx.x * 8192 + k * 256 + t]) >> 8 & 15][t]++;
    for (unsigned k = 0; k < 16; k++) most = max(most, count[k][t] * 16 + k);
    ((unsigned *)o)[AT] = most;
}
// ---- the leaves of a tree of 4096 that lie near a number
__device__ __forceinline__ float middle(unsigned node)
{
    int depth = 31 - __clz(node);
    return (2 * (node - (1u << depth)) + 1) * __uint_as_float((unsigned)(126 - depth) << 23);
}
__global__ void stack_local(ARGS) // the stack in an array of its own
{
    unsigned stack[16], top = 1;
    float q = a[AT] + 0.5f, sum = 0;
    stack[0] = 1;
    while (top) {
        unsigned node = stack[--top];
        if (node >= 4096) { sum += b[node - 4096]; continue; }
        float m = middle(node);
        if (q - 0.002f < m) stack[top++] = 2 * node;
        if (q + 0.002f >= m) stack[top++] = 2 * node + 1;
    }
    o[AT] = sum;
}
__global__ void stack_shared(ARGS) // in shared memory
{
    __shared__ unsigned stack[16][128];
    unsigned top = 1, t = threadIdx.x;
    float q = a[AT] + 0.5f, sum = 0;
    stack[0][t] = 1;
    while (top) {
        unsigned node = stack[--top][t];
        if (node >= 4096) { sum += b[node - 4096]; continue; }
        float m = middle(node);
        if (q - 0.002f < m) stack[top++][t] = 2 * node;
        if (q + 0.002f >= m) stack[top++][t] = 2 * node + 1;
    }
    o[AT] = sum;
}
#define LADDER "ladder_h.def"
#include "ladder_run.h"
