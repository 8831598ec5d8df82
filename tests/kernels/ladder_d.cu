// The fourth ladder: kernels of other kinds than the first three have, written to judge the model once more. Each takes
// (o, a, b, n), three buffers of n * n floats; how they are launched stands in ladder_d.def. Prints microseconds:
// kernel,n,us_median,us_min,us_max,registers. `ladder_d --once` launches each at one small size.
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

__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16;
}

// ---- pictures
__global__ void pool_max(ARGS) // 2 x 2 to one
{
    int x = AT, y = blockIdx.y; const float2 *p = (const float2 *)(a + (size_t)2 * y * n); float2 u = p[x], v = p[x + n / 2];
    o[y * (n / 2) + x] = fmaxf(fmaxf(u.x, u.y), fmaxf(v.x, v.y));
}
__global__ void resize_twice(ARGS) // bilinear, from n / 2 squared
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y, m = n / 2; float u = x * 0.5f, v = y * 0.5f; int i = (int)u, j = (int)v; u -= i; v -= j;
    int k = min(i + 1, m - 1), l = min(j + 1, m - 1); o[y * n + x] = (1 - v) * ((1 - u) * a[j * m + i] + u * a[j * m + k]) + v * ((1 - u) * a[l * m + i] + u * a[l * m + k]);
}
__global__ void rotate(ARGS) // by thirty degrees, nearest
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y; float u = x - 0.5f * n, v = y - 0.5f * n; int i = (int)(0.866f * u - 0.5f * v + 0.5f * n), j = (int)(0.5f * u + 0.866f * v + 0.5f * n);
    o[y * n + x] = i >= 0 && j >= 0 && i < n && j < n ? a[j * n + i] : 0;
}
__global__ void gray_bytes(ARGS) // three bytes a pixel, 4 * n * n bytes in all
{
    const unsigned char *p = (const unsigned char *)a; unsigned char *q = (unsigned char *)o; unsigned i = AT;
    q[i] = (77 * p[3 * i] + 150 * p[3 * i + 1] + 29 * p[3 * i + 2]) >> 8;
}
__global__ void sobel_bytes(ARGS) // 2n x 2n bytes
{
    const unsigned char *p = (const unsigned char *)a; int w = 2 * n, x = AT, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
    p += (size_t)y * w + x; int u = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1], v = p[w - 1] + 2 * p[w] + p[w + 1] - p[-1 - w] - 2 * p[-w] - p[1 - w];
    ((unsigned char *)o)[(size_t)y * w + x] = min(abs(u) + abs(v), 255);
}
__global__ void bilateral(ARGS) // 5 x 5, weights by distance in value
{
    int x = AT, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2) return; const float *p = a + y * n + x; float c = p[0], s = 0, t = 0;
#pragma unroll
    for (int j = -2; j <= 2; j++)
#pragma unroll
        for (int i = -2; i <= 2; i++) { float v = p[j * n + i], d = v - c, w = __expf(-4 * d * d) * (1.0f / (1 + i * i + j * j)); s += w * v; t += w; }
    o[y * n + x] = s / t;
}
__global__ void life_bits(ARGS) // 32 cells a word, n words a row
{
    const unsigned *p = (const unsigned *)a; int x = AT, y = blockIdx.y, up = (y + n - 1) % n, down = (y + 1) % n; unsigned one = 0, two = 0, four = 0, here = 0;
    for (int r = 0; r < 3; r++) {
        const unsigned *q = p + (size_t)(r == 0 ? up : r == 1 ? y : down) * n; unsigned c = q[x], left = __funnelshift_l(q[(x + n - 1) % n], c, 1), right = __funnelshift_r(c, q[(x + 1) % n], 1); if (r == 1) here = c;
        for (int k = 0; k < 3; k++) { unsigned v = k == 0 ? left : k == 1 ? (r == 1 ? 0 : c) : right, carry = one & v; one ^= v; unsigned more = two & carry; two ^= carry; four |= more; }
    }
    ((unsigned *)o)[(size_t)y * n + x] = ~four & two & (one | here);
}
// ---- transforms
__global__ void wht_warp(ARGS) // Walsh and Hadamard over 128 values, four a lane
{
    float4 q = ((const float4 *)a)[AT]; float v[4] = {q.x + q.y, q.x - q.y, q.z + q.w, q.z - q.w}, w[4] = {v[0] + v[2], v[1] + v[3], v[0] - v[2], v[1] - v[3]}; int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
#pragma unroll
        for (int i = 0; i < 4; i++) { float x = __shfl_xor_sync(FULL, w[i], d); w[i] = lane & d ? x - w[i] : x + w[i]; }
    ((float4 *)o)[AT] = make_float4(w[0], w[1], w[2], w[3]);
}
__global__ void fft_shared(ARGS) // 512 complex values, radix 2, 256 threads, twiddles computed
{
    __shared__ float2 s[512]; int t = threadIdx.x; size_t base = (size_t)blockIdx.x * 512; const float2 *p = (const float2 *)a + base;
    s[__brev(t) >> 23] = p[t]; s[__brev(t + 256) >> 23] = p[t + 256];
    for (int h = 1; h < 512; h *= 2) {
        __syncthreads(); int k = t & (h - 1), i = 2 * t - k; float c, d; __sincosf(-3.14159265f * k / h, &d, &c); float2 u = s[i], v = s[i + h], w = make_float2(v.x * c - v.y * d, v.x * d + v.y * c);
        s[i] = make_float2(u.x + w.x, u.y + w.y); s[i + h] = make_float2(u.x - w.x, u.y - w.y);
    }
    __syncthreads(); float2 *q = (float2 *)o + base; q[t] = s[t]; q[t + 256] = s[t + 256];
}
__global__ void dct_8x8(ARGS) // four blocks of 8 x 8 for each 256 threads, a matrix from both sides
{
    __shared__ float s[4][8][9], r[4][8][9], c[8][8]; int m = threadIdx.x / 64, i = threadIdx.x / 8 % 8, j = threadIdx.x % 8; size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x < 64) c[i][j] = __cosf((2 * j + 1) * i * 0.19634954f); s[m][i][j] = a[at]; __syncthreads(); float v = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) v += c[i][k] * s[m][k][j]; r[m][i][j] = v; __syncthreads(); v = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) v += r[m][i][k] * c[j][k]; o[at] = v;
}
// ---- looking up
__global__ void search_sorted(ARGS) // in 65536 values, 16 steps
{
    float key = a[AT]; int low = 0;
    for (int step = 32768; step; step /= 2) if (b[low + step - 1] < key) low += step; o[AT] = low;
}
__global__ void crc_table(ARGS) // a table in shared memory, four bytes a word
{
    __shared__ unsigned t[256]; unsigned v = threadIdx.x; for (int i = 0; i < 8; i++) v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1; t[threadIdx.x] = v; __syncthreads();
    const unsigned *p = (const unsigned *)a; unsigned c = FULL;
    for (int k = 0; k < 8; k++) { unsigned w = p[(blockIdx.x * 8 + k) * 256 + threadIdx.x]; for (int i = 0; i < 4; i++) { c = c >> 8 ^ t[(c ^ w) & 255]; w >>= 8; } }
    ((unsigned *)o)[AT] = c;
}
__global__ void embed_rows(ARGS) // rows of 128 floats, a warp each, drawn from all
{
    unsigned w = AT / 32, lane = threadIdx.x % 32, row = mix(w) % (n * n / 128); ((float4 *)o)[w * 32 + lane] = ((const float4 *)a)[row * 32 + lane];
}
__global__ void nearest_centre(ARGS) // four dimensions, 32 centres in shared memory
{
    __shared__ float4 c[32]; if (threadIdx.x < 32) c[threadIdx.x] = ((const float4 *)b)[threadIdx.x]; __syncthreads(); float4 p = ((const float4 *)a)[AT]; float best = 1e30f; int at = 0;
#pragma unroll 8
    for (int k = 0; k < 32; k++) { float4 q = c[k]; float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w, d = x * x + y * y + z * z + w * w; if (d < best) { best = d; at = k; } }
    ((int *)o)[AT] = at;
}
// ---- rows of their own length, chains within a warp
__global__ void rows_uneven(ARGS) // a warp a row of 1 to 256 elements, one in eight long
{
    unsigned w = AT / 32, lane = threadIdx.x % 32, length = mix(w) % 8 ? 32 : 256; float s = 0; const float *p = a + (size_t)w * 256;
    for (unsigned i = lane; i < length; i += 32) s += p[i] * b[i]; for (int d = 16; d; d /= 2) s += __shfl_xor_sync(FULL, s, d); if (!lane) o[w] = s;
}
__global__ void solve_lower(ARGS) // 32 x 32 triangles, a warp each, column by column
{
    unsigned w = AT / 32, lane = threadIdx.x % 32; const float *p = a + (size_t)w * 1024; float x = b[w * 32 + lane];
#pragma unroll 4
    for (int k = 0; k < 32; k++) { float v = __shfl_sync(FULL, x, k); if (lane > k) x -= p[k * 32 + lane] * v; } o[w * 32 + lane] = x;
}
__global__ void align_pairs(ARGS) // 32 x 128 cells by diagonals, a warp each
{
    unsigned w = AT / 32, lane = threadIdx.x % 32; const unsigned char *q = (const unsigned char *)a + (size_t)w * 128; int own = ((const unsigned char *)b)[(w * 32 + lane) % 65536] & 3, left = 0, corner = 0, best = 0;
    for (int d = 0; d < 159; d++) { int j = d - lane, up = __shfl_up_sync(FULL, left, 1), diagonal = corner; corner = up; if (!lane) up = diagonal = 0; if (j >= 0 && j < 128) { left = max(max(left, up) - 2, max(diagonal + ((q[j] & 3) == own ? 3 : -1), 0)); best = max(best, left); } }
    for (int d = 16; d; d /= 2) best = max(best, __shfl_xor_sync(FULL, best, d)); if (!lane) o[w] = best;
}
__global__ void quantize(ARGS) // rows of 1024 floats to bytes, scaled by the largest
{
    __shared__ float s[8]; float4 v = ((const float4 *)a)[AT]; float m = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(FULL, m, d)); if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = m; __syncthreads();
    for (int i = 0; i < 8; i++) m = fmaxf(m, s[i]); m = 127 / m; ((char4 *)o)[AT] = make_char4(__float2int_rn(v.x * m), __float2int_rn(v.y * m), __float2int_rn(v.z * m), __float2int_rn(v.w * m));
}
// ---- arithmetic
__global__ void bodies(ARGS) // 256 against 1024 others, tile by tile
{
    __shared__ float4 s[256]; float4 me = ((const float4 *)a)[AT]; float x = 0, y = 0, z = 0;
    for (int t = 0; t < 4; t++) {
        __syncthreads(); s[threadIdx.x] = ((const float4 *)b)[t * 256 + threadIdx.x]; __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; k++) { float4 q = s[k]; float u = q.x - me.x, v = q.y - me.y, w = q.z - me.z, r = rsqrtf(u * u + v * v + w * w + 0.01f); r = q.w * r * r * r; x += u * r; y += v * r; z += w * r; }
    }
    o[3 * AT] = x; o[3 * AT + 1] = y; o[3 * AT + 2] = z;
}
__global__ void draw_pi(ARGS) // Philox, ten rounds, points in a circle
{
    unsigned hits = 0;
    for (int k = 0; k < 8; k++) {
        unsigned c0 = AT, c1 = k, c2 = 7, c3 = 9, k0 = 0x12345678, k1 = 0x9abcdef0;
#pragma unroll
        for (int r = 0; r < 10; r++) { unsigned h0 = __umulhi(0xD2511F53, c0), l0 = 0xD2511F53 * c0, h1 = __umulhi(0xCD9E8D57, c2), l1 = 0xCD9E8D57 * c2; c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0; k0 += 0x9E3779B9; k1 += 0xBB67AE85; }
        float x = c0 * 0x1p-32f, y = c1 * 0x1p-32f, u = c2 * 0x1p-32f, v = c3 * 0x1p-32f; hits += (x * x + y * y < 1) + (u * u + v * v < 1);
    }
    ((unsigned *)o)[AT] = hits;
}
// ---- products
__global__ void mm_bytes(ARGS) // 32 x 32 tiles of bytes, four at a time
{
    __shared__ int x[32][33], y[32][33]; const int *p = (const int *)a, *q = (const int *)b; int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32, m = n / 4, c[4] = {};
    for (int k = 0; k < m; k += 32) {
        for (int i = 0; i < 32; i += 8) { x[ty + i][tx] = p[(row + ty + i) * m + k + tx]; y[ty + i][tx] = q[(col + ty + i) * m + k + tx]; } __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) for (int r = 0; r < 4; r++) c[r] = __dp4a(x[ty + 8 * r][i], y[tx][i], c[r]);
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) ((int *)o)[(row + ty + 8 * r) * n + col + tx] = c[r];
}
__global__ void mm_skinny(ARGS) // n x n by n x 8, a warp a row
{
    int row = AT / 32, lane = threadIdx.x % 32; float s[8] = {};
    for (int k = lane; k < n; k += 32) { float v = a[(size_t)row * n + k]; float4 u = ((const float4 *)b)[2 * k], w = ((const float4 *)b)[2 * k + 1]; s[0] += v * u.x; s[1] += v * u.y; s[2] += v * u.z; s[3] += v * u.w; s[4] += v * w.x; s[5] += v * w.y; s[6] += v * w.z; s[7] += v * w.w; }
#pragma unroll
    for (int i = 0; i < 8; i++) { for (int d = 16; d; d /= 2) s[i] += __shfl_xor_sync(FULL, s[i], d); if (lane == i) o[row * 8 + i] = s[i]; }
}
__global__ void outer_sum(ARGS) { int x = AT, y = blockIdx.y * 8; float4 v = ((const float4 *)a)[x]; for (int i = 0; i < 8; i++) { float u = b[y + i]; ((float4 *)o)[(size_t)(y + i) * (n / 4) + x] = make_float4(u * v.x, u * v.y, u * v.z, u * v.w); } }
// ---- sorting by digits, moving
__global__ void digits_count(ARGS) // 16 digits by ballots, then a column of counts
{
    __shared__ unsigned s[8][16]; unsigned v = ((const unsigned *)a)[AT] >> 4 & 15, lane = threadIdx.x % 32, w = threadIdx.x / 32, same = FULL;
    for (int i = 0; i < 4; i++) { unsigned m = __ballot_sync(FULL, v >> i & 1); same &= lane >> i & 1 ? m : ~m; } if (lane < 16) s[w][lane] = __popc(same); __syncthreads();
    if (threadIdx.x < 16) { unsigned t = 0; for (int i = 0; i < 8; i++) t += s[i][threadIdx.x]; ((unsigned *)o)[threadIdx.x * gridDim.x + blockIdx.x] = t; }
}
__global__ void tr_half(ARGS) // halves, 2n x n, 32 x 8 threads
{
    __shared__ half t[32][34]; const half *p = (const half *)a; half *q = (half *)o; int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) t[j][threadIdx.x] = p[(size_t)(y + j) * 2 * n + x + threadIdx.x]; __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) q[(size_t)(x + j) * n + y + threadIdx.x] = t[threadIdx.x][j];
}
__global__ void fill_four(ARGS) { ((float4 *)o)[AT] = make_float4(1, 2, 3, 4); }
__global__ void sum_four(ARGS) // four arrays, each a quarter
{
    size_t m = (size_t)n * n / 4, i = AT; o[i] = a[i] + a[i + m] + a[i + 2 * m] + a[i + 3 * m];
}
#define LADDER "ladder_d.def"
#include "ladder_run.h"
