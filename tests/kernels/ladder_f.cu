// The sixth ladder: what students and public code write, of kinds that no set before has. Each takes (o, a, b, n), three
// buffers of n * n floats; how they are launched stands in ladder_f.def. Prints microseconds:
// kernel,n,us_median,us_min,us_max,registers. `ladder_f --once` launches each at one small size.
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

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16;
}
__constant__ float4 balls[16] = {{0.1f, 0.2f, 3, 0.5f}, {0.3f, -0.2f, 4, 0.7f}};
__constant__ float curve[256] = {0, 0.1f, 0.2f};

// ---- pictures of bytes
__global__ void blend_alpha(ARGS) // one picture over another, four bytes a pixel
{
    uchar4 p = ((const uchar4 *)a)[AT], q = ((const uchar4 *)b)[AT]; int k = p.w; ((uchar4 *)o)[AT] = make_uchar4((p.x * k + q.x * (255 - k)) / 255, (p.y * k + q.y * (255 - k)) / 255, (p.z * k + q.z * (255 - k)) / 255, 255);
}
__global__ void erode_tile(ARGS) // the smallest of 5 x 5, rows first, then columns, in shared memory
{
    __shared__ float s[12][36], r[12][32]; int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 8;
    for (int i = ty * 32 + tx; i < 12 * 36; i += 256) { int u = x + i % 36 - 2, v = y + i / 36 - 2; s[i / 36][i % 36] = u >= 0 && v >= 0 && u < n && v < n ? a[v * n + u] : 1; } __syncthreads();
    for (int k = ty; k < 12; k += 8) { float m = s[k][tx]; for (int i = 1; i < 5; i++) m = fminf(m, s[k][tx + i]); r[k][tx] = m; } __syncthreads();
    float m = r[ty][tx]; for (int i = 1; i < 5; i++) m = fminf(m, r[ty + i][tx]); o[(y + ty) * n + x + tx] = m;
}
__global__ void thin_edges(ARGS) // keeps a gradient that is larger than its two neighbours along it
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return; int at = y * n + x; float g = a[at]; unsigned d = BITS(b[at]) >> 14 & 3; int step = d == 0 ? 1 : d == 1 ? n + 1 : d == 2 ? n : n - 1; o[at] = g > a[at - step] && g > a[at + step] ? g : 0;
}
__global__ void tone_curve(ARGS) // a table in constant memory, wherever the pixel's value leads
{
    uchar4 p = ((const uchar4 *)a)[AT]; ((float4 *)o)[AT] = make_float4(curve[p.x], curve[p.y], curve[p.z], curve[p.w & 127]);
}
// ---- tables and graphs
__global__ void hash_probe(ARGS) // linear probing in a million places until one is empty
{
    unsigned at = mix(AT) & 0xfffff, steps = 0; while (BITS(b[at]) >> 11 & 3 && steps < 64) { at = (at + 1) & 0xfffff; steps++; } o[AT] = at + steps;
}
__global__ void bfs_push(ARGS) // a vertex in four is in the frontier and marks eight others near it
{
    unsigned v = AT, m = n * n / 2 - 1; if (BITS(a[v]) >> 12 & 3) return; for (int k = 0; k < 8; k++) { unsigned w = (v + (mix(8 * v + k) & 4095)) & m; if (b[w] > 0.2f) ((int *)o)[w] = 3; }
}
__global__ void csr_vector(ARGS) // a warp a row of 16 to 127 elements, columns in 262144
{
    unsigned row = AT / 32, lane = threadIdx.x % 32, length = 16 + mix(row) % 112; const float *p = a + (size_t)row * 128; float s = 0; for (unsigned k = lane; k < length; k += 32) { float v = p[k]; s += v * b[BITS(v) >> 5 & 0x3ffff]; } for (int d = 16; d; d /= 2) s += __shfl_down_sync(FULL, s, d); if (!lane) o[row] = s;
}
__global__ void sum_sorted(ARGS) // sums of runs of 24, one atomic where a run ends within a warp
{
    unsigned i = AT, id = i / 24, lane = threadIdx.x % 32; float v = a[i]; for (int d = 1; d < 32; d *= 2) { float u = __shfl_up_sync(FULL, v, d); unsigned w = __shfl_up_sync(FULL, id, d); if (lane >= d && w == id) v += u; } unsigned next = __shfl_down_sync(FULL, id, 1); if (lane == 31 || next != id) atomicAdd(o + id, v);
}
// ---- prefixes in passes
__global__ void scan_sums(ARGS) // first pass: 2048 words a block
{
    __shared__ float s[8]; const float4 *p = (const float4 *)a + (size_t)blockIdx.x * 512 + threadIdx.x; float4 u = p[0], v = p[256]; float t = u.x + u.y + u.z + u.w + v.x + v.y + v.z + v.w; for (int d = 16; d; d /= 2) t += __shfl_xor_sync(FULL, t, d); if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = t; __syncthreads(); if (threadIdx.x == 0) { for (int i = 1; i < 8; i++) t += s[i]; o[blockIdx.x] = t; }
}
__global__ void scan_rake(ARGS) // second pass: 4096 words a block, sixteen in a row each thread, by way of shared memory
{
    __shared__ float s[4352], w[8]; int t = threadIdx.x, lane = t % 32; const float *p = a + (size_t)blockIdx.x * 4096; for (int i = 0; i < 16; i++) { int at = i * 256 + t; s[at + at / 16] = p[at]; } __syncthreads();
    float v = 0; for (int i = 0; i < 16; i++) v = s[t * 17 + i] += v; float u = v; for (int d = 1; d < 32; d *= 2) { float q = __shfl_up_sync(FULL, u, d); if (lane >= d) u += q; } if (lane == 31) w[t / 32] = u; __syncthreads();
    float before = b[blockIdx.x] + u - v; for (int i = 0; i < t / 32; i++) before += w[i]; for (int i = 0; i < 16; i++) s[t * 17 + i] += before; __syncthreads(); for (int i = 0; i < 16; i++) { int at = i * 256 + t; o[(size_t)blockIdx.x * 4096 + at] = s[at + at / 16]; }
}
__global__ void scan_add(ARGS) // last pass: each block's offset to all of its words
{
    float k = b[blockIdx.x]; float4 v = ((const float4 *)a)[AT]; v.x += k; v.y += k; v.z += k; v.w += k; ((float4 *)o)[AT] = v;
}
// ---- transforms by steps
__global__ void fft_radix4(ARGS) // one pass of Stockham's, twiddles by __sincosf
{
    unsigned i = AT, q = n * n / 8, k = i & 63; const float2 *p = (const float2 *)a; float2 x[4]; x[0] = p[i];
    for (int r = 1; r < 4; r++) { float2 v = p[i + r * q]; float c, s; __sincosf(-6.2831853f * r * k / 256, &s, &c); x[r] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c); }
    float2 e = make_float2(x[0].x + x[2].x, x[0].y + x[2].y), f = make_float2(x[0].x - x[2].x, x[0].y - x[2].y), g = make_float2(x[1].x + x[3].x, x[1].y + x[3].y), h = make_float2(x[1].y - x[3].y, x[3].x - x[1].x);
    float2 *y = (float2 *)o + (i - k) * 4 + k; y[0] = make_float2(e.x + g.x, e.y + g.y); y[64] = make_float2(f.x + h.x, f.y + h.y); y[128] = make_float2(e.x - g.x, e.y - g.y); y[192] = make_float2(f.x - h.x, f.y - h.y);
}
__global__ void haar_rows(ARGS) // wavelets of 512 words in shared memory, level by level
{
    __shared__ float s[2][512]; int t = threadIdx.x; const float *p = a + (size_t)blockIdx.x * 512; float *q = o + (size_t)blockIdx.x * 512; s[0][t] = p[t]; s[0][t + 256] = p[t + 256]; __syncthreads(); int in = 0;
    for (int m = 256; m; m /= 2) { if (t < m) { float u = s[in][2 * t], v = s[in][2 * t + 1]; s[1 - in][t] = 0.7071f * (u + v); q[m + t] = 0.7071f * (u - v); } in = 1 - in; __syncthreads(); } if (t == 0) q[0] = s[in][0];
}
// ---- tables filled step by step
__global__ void lcs_diagonals(ARGS) // the longest common subsequence of two strings of 128, a thread a row
{
    __shared__ int d[3][130]; __shared__ unsigned char s[128]; int t = threadIdx.x; const unsigned *p = (const unsigned *)a + (size_t)blockIdx.x * 128; unsigned c = p[t] >> 9 & 3; s[t] = p[t] >> 13 & 3; d[0][t] = d[1][t] = d[2][t] = 0; __syncthreads();
    for (int k = 0; k < 255; k++) { int j = k - t, *now = d[k % 3], *last = d[(k + 2) % 3], *old = d[(k + 1) % 3]; if (j >= 0 && j < 128) { int up = t ? last[t - 1] : 0, left = j ? last[t] : 0, diagonal = t && j ? old[t - 1] : 0; now[t] = c == s[j] ? diagonal + 1 : max(up, left); } __syncthreads(); }
    if (t == 127) ((int *)o)[blockIdx.x] = d[254 % 3][127];
}
__global__ void seam_rows(ARGS) // the cheapest way down a strip of 256 columns, 64 rows, two rows in shared memory
{
    __shared__ float s[2][258]; int t = threadIdx.x + 1; const float *p = a + (size_t)blockIdx.x * 256 * 64; if (t == 1) s[0][0] = s[1][0] = s[0][257] = s[1][257] = 1e9f; s[0][t] = p[t - 1]; __syncthreads();
    for (int y = 1; y < 64; y++) { float *u = s[(y + 1) & 1]; float v = p[y * 256 + t - 1] + fminf(fminf(u[t - 1], u[t]), u[t + 1]); s[y & 1][t] = v; o[(size_t)blockIdx.x * 16384 + y * 256 + t - 1] = v; __syncthreads(); }
}
// ---- numbers by chance
__global__ void xorshift_fill(ARGS) // sixteen numbers a thread
{
    unsigned x = mix(AT) | 1, y = x * 69069u, z = x ^ 0x9e3779b9u, w = y + z;
#pragma unroll
    for (int k = 0; k < 4; k++) { float v[4]; for (int i = 0; i < 4; i++) { unsigned t = x ^ x << 11; x = y; y = z; z = w; w = w ^ w >> 19 ^ t ^ t >> 8; v[i] = w * 2.3283064e-10f; } ((float4 *)o)[(size_t)k * gridDim.x * blockDim.x + AT] = make_float4(v[0], v[1], v[2], v[3]); }
}
__global__ void philox_normal(ARGS) // ten rounds of Philox, then Box and Muller
{
    unsigned c0 = AT, c1 = 1, c2 = 2, c3 = 3, k0 = 0xa5a5, k1 = 0x5a5a;
#pragma unroll
    for (int r = 0; r < 10; r++) { unsigned h0 = __umulhi(0xd2511f53u, c0), l0 = 0xd2511f53u * c0, h1 = __umulhi(0xcd9e8d57u, c2), l1 = 0xcd9e8d57u * c2; c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0; k0 += 0x9e3779b9u; k1 += 0xbb67ae85u; }
    float u = (c0 + 0.5f) * 2.3283064e-10f, v = (c2 + 0.5f) * 2.3283064e-10f, r = sqrtf(-2 * __logf(u)), s = sqrtf(-2 * __logf(v)), x, y, z, w; __sincosf(1.4629e-9f * c1, &x, &y); __sincosf(1.4629e-9f * c3, &z, &w); ((float4 *)o)[AT] = make_float4(r * x, r * y, s * z, s * w);
}
// ---- words
__global__ void find_word(ARGS) // eight bytes at each place of a text that lies in shared memory
{
    __shared__ unsigned char s[264]; const unsigned char *p = (const unsigned char *)a + (size_t)blockIdx.x * 256; s[threadIdx.x] = p[threadIdx.x]; if (threadIdx.x < 8) s[256 + threadIdx.x] = p[256 + threadIdx.x]; __syncthreads(); const unsigned char word[8] = {'b', 'a', 'n', 'k', 's', 'h', 'o', 't'}; int k = 0; while (k < 8 && (s[threadIdx.x + k] & 96) == (word[k] & 96)) k++; if (k == 8) ((int *)o)[blockIdx.x] = threadIdx.x;
}
__global__ void hamming_least(ARGS) // which of 128 words differs in the fewest bits
{
    __shared__ unsigned s[128]; if (threadIdx.x < 128) s[threadIdx.x] = ((const unsigned *)b)[threadIdx.x]; __syncthreads(); unsigned v = ((const unsigned *)a)[AT]; int best = 99, at = 0;
#pragma unroll 8
    for (int k = 0; k < 128; k++) { int d = __popc(v ^ s[k]); if (d < best) { best = d; at = k; } } ((int *)o)[AT] = at;
}
// ---- few bits
__global__ void q8_vector(ARGS) // a warp a row of 4096 bytes, a scale for each 32 of them
{
    unsigned row = AT / 32, lane = threadIdx.x % 32; const int4 *p = (const int4 *)a + (size_t)row * 256; const int4 *x = (const int4 *)b; const float *scale = b + 65536 + row * 128; float s = 0; for (int k = lane; k < 256; k += 32) { int4 u = p[k], v = x[k]; int t = __dp4a(u.x, v.x, __dp4a(u.y, v.y, __dp4a(u.z, v.z, __dp4a(u.w, v.w, 0)))); s += t * scale[k / 2]; } for (int d = 16; d; d /= 2) s += __shfl_xor_sync(FULL, s, d); if (!lane) o[row] = s;
}
__global__ void q4_vector(ARGS) // a block a row of 8192 halves of bytes, taken apart and multiplied as floats
{
    __shared__ float w[4]; const uint4 *p = (const uint4 *)a + (size_t)blockIdx.x * 256; float s = 0;
    for (int k = threadIdx.x; k < 256; k += 128) { uint4 u = p[k]; unsigned q[4] = {u.x, u.y, u.z, u.w}; const float4 *x = (const float4 *)b + k * 8;
#pragma unroll
        for (int i = 0; i < 4; i++) { float4 y = x[2 * i], z = x[2 * i + 1]; unsigned v = q[i]; s += ((int)(v & 15) - 8) * y.x + ((int)(v >> 4 & 15) - 8) * y.y + ((int)(v >> 8 & 15) - 8) * y.z + ((int)(v >> 12 & 15) - 8) * y.w + ((int)(v >> 16 & 15) - 8) * z.x + ((int)(v >> 20 & 15) - 8) * z.y + ((int)(v >> 24 & 15) - 8) * z.z + ((int)(v >> 28) - 8) * z.w; } }
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(FULL, s, d); if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = s; __syncthreads(); if (!threadIdx.x) o[blockIdx.x] = w[0] + w[1] + w[2] + w[3];
}
// ---- language models
__global__ void rope_halves(ARGS) // pairs of halves turned by their position, heads of 128
{
    unsigned i = AT, d = i % 64, position = i / 1024 & 2047; float2 v = __half22float2(((const half2 *)a)[i]); float c, s, f = exp2f(-0.2076f * d); sincosf(position * f, &s, &c); ((half2 *)o)[i] = __floats2half2_rn(v.x * c - v.y * s, v.x * s + v.y * c);
}
__global__ void norm_backward(ARGS) // rows of 1024, 256 threads each, two sums at once
{
    __shared__ float s[2][8]; int t = threadIdx.x; size_t at = (size_t)blockIdx.x * 256 + t; float4 g = ((const float4 *)a)[at], x = ((const float4 *)b)[at]; float u = g.x + g.y + g.z + g.w, v = g.x * x.x + g.y * x.y + g.z * x.z + g.w * x.w;
    for (int d = 16; d; d /= 2) { u += __shfl_xor_sync(FULL, u, d); v += __shfl_xor_sync(FULL, v, d); } if (t % 32 == 0) { s[0][t / 32] = u; s[1][t / 32] = v; } __syncthreads(); u = v = 0; for (int i = 0; i < 8; i++) { u += s[0][i]; v += s[1][i]; } u /= 1024; v /= 1024; ((float4 *)o)[at] = make_float4(g.x - u - x.x * v, g.y - u - x.y * v, g.z - u - x.z * v, g.w - u - x.w * v);
}
__global__ void swiglu_four(ARGS) // a gate and a value, four a thread
{
    float4 g = ((const float4 *)a)[AT], v = ((const float4 *)b)[AT]; ((float4 *)o)[AT] = make_float4(g.x / (1 + __expf(-g.x)) * v.x, g.y / (1 + __expf(-g.y)) * v.y, g.z / (1 + __expf(-g.z)) * v.z, g.w / (1 + __expf(-g.w)) * v.w);
}
__global__ void top_four(ARGS) // the four largest of 1024, a warp a row
{
    unsigned w = AT / 32, lane = threadIdx.x % 32; const float *p = a + (size_t)w * 1024; float best[4] = {-1e9f, -1e9f, -1e9f, -1e9f};
    for (int k = lane; k < 1024; k += 32) { float v = p[k]; if (v > best[3]) { best[3] = v; for (int i = 3; i > 0; i--) if (best[i] > best[i - 1]) { float u = best[i]; best[i] = best[i - 1]; best[i - 1] = u; } } }
    for (int r = 0; r < 4; r++) { float m = best[0]; for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(FULL, m, d)); unsigned who = __ballot_sync(FULL, best[0] == m); if (lane == __ffs(who) - 1) { o[w * 4 + r] = m; best[0] = best[1]; best[1] = best[2]; best[2] = best[3]; best[3] = -1e9f; } }
}
// ---- sorting in passes
__global__ void split_bit(ARGS) // zeros to the front, ones behind, 1024 words a block
{
    __shared__ unsigned s[1024], w[32]; unsigned t = threadIdx.x, v = ((const unsigned *)a)[AT], lane = t % 32, one = v >> 13 & 1, ones = __ballot_sync(FULL, one); if (lane == 0) w[t / 32] = __popc(ones); __syncthreads();
    if (t < 32) { unsigned k = w[t], u = k; for (int d = 1; d < 32; d *= 2) { unsigned q = __shfl_up_sync(FULL, u, d); if (lane >= d) u += q; } w[t] = u - k; if (t == 31) s[0] = u; } __syncthreads(); unsigned zeros = 1024 - s[0], before = w[t / 32] + __popc(ones & ((1u << lane) - 1)); __syncthreads();
    s[one ? zeros + before : t - before] = v; __syncthreads(); ((unsigned *)o)[AT] = s[t];
}
__global__ void radix_scatter(ARGS) // by four bits, ranks by match.any, each warp to places of its own in sixteen runs
{
    unsigned i = AT, lane = threadIdx.x % 32, v = ((const unsigned *)a)[i], digit = v >> 12 & 15, same = __match_any_sync(FULL, digit), rank = __popc(same & ((1u << lane) - 1)); size_t run = (size_t)n * n / 16; ((unsigned *)o)[digit * run + (i / 32 * 2 + rank) % run] = v;
}
// ---- types turned over
__global__ void tr_double(ARGS) // n / 2 by n doubles, 32 x 32 tiles, 32 x 8 threads
{
    __shared__ double t[32][33]; int w = n / 2, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; for (int k = 0; k < 32; k += 8) t[threadIdx.y + k][threadIdx.x] = ((const double *)a)[(size_t)(y + k) * w + x]; __syncthreads(); x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y; for (int k = 0; k < 32; k += 8) ((double *)o)[(size_t)(y + k) * n + x] = t[threadIdx.x][threadIdx.y + k];
}
__global__ void tr_bytes(ARGS) // 2n by 2n bytes, 64 x 64 tiles, a byte at a time
{
    __shared__ unsigned char t[64][65]; int w = 2 * n, x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y; for (int k = 0; k < 64; k += 4) t[threadIdx.y + k][threadIdx.x] = ((const unsigned char *)a)[(size_t)(y + k) * w + x]; __syncthreads(); x = blockIdx.y * 64 + threadIdx.x; y = blockIdx.x * 64 + threadIdx.y; for (int k = 0; k < 64; k += 4) ((unsigned char *)o)[(size_t)(y + k) * w + x] = t[threadIdx.x][threadIdx.y + k];
}
// ---- records
struct body { float x, y, z, u, v, w, mass; };
__global__ void bodies_records(ARGS) // seven words of each one after another
{
    body p = ((const body *)a)[AT]; float k = 0.01f / p.mass; p.u -= k * p.x; p.v -= k * p.y; p.w -= k * p.z; p.x += 0.01f * p.u; p.y += 0.01f * p.v; p.z += 0.01f * p.w; ((body *)o)[AT] = p;
}
__global__ void bodies_columns(ARGS) // the same, each word in an array of its own
{
    size_t m = (size_t)n * n / 8, i = AT; float x = a[i], y = a[i + m], z = a[i + 2 * m], u = a[i + 3 * m], v = a[i + 4 * m], w = a[i + 5 * m], k = 0.01f / a[i + 6 * m]; u -= k * x; v -= k * y; w -= k * z; o[i] = x + 0.01f * u; o[i + m] = y + 0.01f * v; o[i + 2 * m] = z + 0.01f * w; o[i + 3 * m] = u; o[i + 4 * m] = v; o[i + 5 * m] = w;
}
// ---- halves two at a time
__global__ void half2_julia(ARGS) // 24 steps of z * z + c
{
    half2 x = ((const half2 *)a)[AT], y = ((const half2 *)b)[AT], p = __float2half2_rn(0.3f), q = __float2half2_rn(-0.4f);
#pragma unroll 4
    for (int k = 0; k < 24; k++) { half2 u = __hfma2(x, x, __hneg2(__hmul2(y, y))), v = __hmul2(x, y); x = __hadd2(u, p); y = __hadd2(__hadd2(v, v), q); } ((half2 *)o)[AT] = __hmax2(x, y);
}
__global__ void half2_dot(ARGS) // rows of 1024 halves times one vector, a warp a row
{
    unsigned w = AT / 32, lane = threadIdx.x % 32; const half2 *p = (const half2 *)a + (size_t)w * 512, *q = (const half2 *)b; half2 s = __float2half2_rn(0); for (int k = lane; k < 512; k += 32) s = __hfma2(p[k], q[k], s); float t = __low2float(s) + __high2float(s); for (int d = 16; d; d /= 2) t += __shfl_xor_sync(FULL, t, d); if (!lane) o[w] = t;
}
// ---- copies that go on beside the work
__global__ void async_three(ARGS) // 16 tiles of 1024 words, three on their way, 3-point sums of each
{
    __shared__ __align__(16) float s[3][1024]; int t = threadIdx.x; const float *p = a + (size_t)blockIdx.x * 16384; float *q = o + (size_t)blockIdx.x * 16384;
    for (int k = 0; k < 2; k++) { __pipeline_memcpy_async(&s[k][4 * t], p + k * 1024 + 4 * t, 16); __pipeline_commit(); }
    for (int k = 0; k < 16; k++) { if (k + 2 < 16) __pipeline_memcpy_async(&s[(k + 2) % 3][4 * t], p + (k + 2) * 1024 + 4 * t, 16); __pipeline_commit(); __pipeline_wait_prior(2); __syncthreads(); const float *r = s[k % 3];
        for (int i = t; i < 1024; i += 256) q[k * 1024 + i] = r[i] + 0.5f * (r[i ? i - 1 : 0] + r[i < 1023 ? i + 1 : 1023]); __syncthreads(); }
}
// ---- parts of warps
__global__ void eights_norm(ARGS) // eight lanes a vector of 32, scaled to length one
{
    float4 v = ((const float4 *)a)[AT]; float s = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; for (int d = 4; d; d /= 2) s += __shfl_xor_sync(FULL, s, d, 8); s = rsqrtf(s + 1e-6f); ((float4 *)o)[AT] = make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}
// ---- banks
__global__ void banks_six(ARGS) // 48 sums with a stride of six words, two lanes to a bank
{
    __shared__ float s[2048]; int t = threadIdx.x; for (int i = t; i < 2048; i += 256) s[i] = a[(size_t)blockIdx.x * 2048 + i]; __syncthreads(); float v = 0;
#pragma unroll 8
    for (int k = 0; k < 48; k++) v += s[(t * 6 + k * 7) & 2047] * k; o[AT] = v;
}
__global__ void banks_matrix(ARGS) // 32 x 32 in shared memory, sums of columns and then of rows
{
    __shared__ float s[32][32]; int x = threadIdx.x, y = threadIdx.y; float v = 0; for (int k = 0; k < 32; k += 8) s[y + k][x] = a[(size_t)blockIdx.x * 1024 + (y + k) * 32 + x]; __syncthreads();
    for (int k = 0; k < 32; k += 8) { float c = 0; for (int i = 0; i < 8; i++) c += s[x][(y + k + i) & 31]; v += c; } o[(size_t)blockIdx.x * 256 + y * 32 + x] = v + s[y][x];
}
// ---- grids in other orders
__global__ void red_black(ARGS) // every other cell from its four neighbours
{
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = 2 * AT + (y & 1); if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return; const float *p = a + (size_t)y * n + x; o[(size_t)y * n + x] = 0.25f * (p[-1] + p[1] + p[-n] + p[n]) - b[(size_t)y * n + x];
}
__global__ void lattice_five(ARGS) // five directions of a lattice, each from its own side, an eighth of the cells
{
    int w = n / 2, m = w * (n / 4), i = AT, x = i % w; float c = a[i], e = x ? a[m + i - 1] : 0, v = x < w - 1 ? a[2 * m + i + 1] : 0, s = i >= w ? a[3 * m + i - w] : 0, t = i + w < m ? a[4 * m + i + w] : 0, r = c + e + v + s + t, u = 0.1f * (e - v), q = 0.1f * (s - t); o[i] = 0.6f * c + 0.1f * r; o[m + i] = 0.6f * e + 0.08f * r + u; o[2 * m + i] = 0.6f * v + 0.08f * r - u; o[3 * m + i] = 0.6f * s + 0.08f * r + q; o[4 * m + i] = 0.6f * t + 0.08f * r - q;
}
// ---- rays and pairs
__global__ void trace_balls(ARGS) // the nearest of sixteen
{
    int x = AT, y = blockIdx.y; float dx = x / (float)n - 0.5f, dy = y / (float)n - 0.5f, best = 1e9f; for (int k = 0; k < 16; k++) { float4 q = balls[k]; float h = dx * q.x + dy * q.y + q.z, d = h * h - (1 + dx * dx + dy * dy) * (q.x * q.x + q.y * q.y + q.z * q.z - q.w * q.w); if (d > 0) { float t = h - sqrtf(d); if (t < best) best = t; } } o[(size_t)y * n + x] = best;
}
__global__ void pairs_near(ARGS) // 32 neighbours each, as a list says, within a few thousand
{
    unsigned i = AT, m = n * n / 32 - 1; float4 p = ((const float4 *)b)[i & m]; float f = 0;
#pragma unroll 4
    for (int k = 0; k < 32; k++) { unsigned j = (i + (BITS(a[(size_t)k * (m + 1) + i]) >> 8 & 2047)) & m; float4 q = ((const float4 *)b)[j]; float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r = dx * dx + dy * dy + dz * dz + 0.01f; if (r < 0.5f) f += q.w / (r * sqrtf(r)); } o[i] = f;
}
// ---- double
__global__ void mm_double(ARGS) // n / 2 squared doubles, 16 x 16 tiles
{
    __shared__ double x[16][16], y[16][16]; int m = n / 2, tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx; double v = 0; for (int k = 0; k < m; k += 16) { x[ty][tx] = ((const double *)a)[row * m + k + tx]; y[ty][tx] = ((const double *)b)[(k + ty) * m + col]; __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) v += x[ty][i] * y[i][tx];
        __syncthreads(); } ((double *)o)[row * m + col] = v;
}
#define LADDER "ladder_f.def"
#include "ladder_run.h"
