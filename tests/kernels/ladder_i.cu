// The ninth ladder, written blind of the timing model. Everyday kernels in shapes that no set before had: products in
// tiles of 96 x 96 (ragged edges), 32 x 128 (a turned first matrix, vector loads), by wmma 8 x 32 x 16 from words made
// halves, through a ring of asynchronous copies; a tall matrix times itself, dots of columns in double, four time steps
// in one tile, a star of radius two with a queue of registers, a fused separable filter, RMS norm in bfloat16, attention
// over a window, a scan of linear recurrences, a joint histogram by 60 blocks, pairs of words turned, bodies by
// shuffles, atomics on pairs of halves, banks in conflicts of odd degree, a long tail of blocks, gradient noise, motion
// search by bytes. And pairs that do one thing in two ways, mostly of new kinds: Cholesky, tridiagonal systems, Viterbi,
// message digests, wide products, coordinate-list matrices, Bloom filters, nearest neighbours, connected labels, Huffman
// codes, bit matrices, division of indices, an interpreter, maxima of groups. Each takes (o, a, b, n), three buffers of
// n * n floats; how they are launched stands in ladder_i.def. Prints microseconds:
// kernel,n,us_median,us_min,us_max,registers. `ladder_i --once` launches each at one small size.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <mma.h>
#define ARGS float *__restrict__ o, const float *__restrict__ a, const float *__restrict__ b, int n
#define FULL 0xffffffffu
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define BITS(v) __float_as_uint(v)

__device__ __forceinline__ unsigned mix(unsigned x)
{
    x ^= x >> 15; x *= 0x2c1b3c6du; x ^= x >> 12; x *= 0x297a2d39u; return x ^ x >> 15;
}
__device__ __forceinline__ int within(int v, int end) { return min(max(v, 0), end - 1); }
__constant__ float taps[11] = {0.01f, 0.03f, 0.07f, 0.12f, 0.17f, 0.2f, 0.17f, 0.12f, 0.07f, 0.03f, 0.01f};
__constant__ float2 compass[8] = {{1, 0}, {0.7f, 0.7f}, {0, 1}, {-0.7f, 0.7f}, {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};
__constant__ unsigned char per_length[9] = {0, 0, 0, 4, 4, 4, 4, 4, 8};

// ---- products
__global__ void mm_96x96(ARGS) // 144 threads, 8 x 8 words each, the edges tested
{
    __shared__ float p[8][96], q[8][96];
    int t = threadIdx.x, tx = t % 12, ty = t / 12, x0 = blockIdx.x * 96, y0 = blockIdx.y * 96;
    float sum[8][8] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int k = t; k < 768; k += 144) {
            p[k % 8][k / 8] = y0 + k / 8 < n ? a[(y0 + k / 8) * n + k0 + k % 8] : 0;
            q[k / 96][k % 96] = x0 + k % 96 < n ? b[(k0 + k / 96) * n + x0 + k % 96] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float u[8], v[8];
#pragma unroll
            for (int i = 0; i < 8; i++) { u[i] = p[k][ty * 8 + i]; v[i] = q[k][tx + 12 * i]; }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) if (y0 + ty * 8 + i < n && x0 + tx + 12 * j < n) o[(y0 + ty * 8 + i) * n + x0 + tx + 12 * j] = sum[i][j];
}
__global__ void mm_32x128_turned(ARGS) // the first matrix turned: a[k][row]; 4 x 8 words a thread, vectors
{
    __shared__ float4 p[16][8], q[16][32];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, x0 = blockIdx.x * 128, y0 = blockIdx.y * 32;
    float sum[4][8] = {};
#pragma unroll 1
    for (int k0 = 0; k0 < n; k0 += 16) {
        p[t / 8][t % 8] = *(const float4 *)(a + (k0 + t / 8) * n + y0 + t % 8 * 4);
#pragma unroll
        for (int k = 0; k < 4; k++) q[k * 4 + t / 32][t % 32] = *(const float4 *)(b + (k0 + k * 4 + t / 32) * n + x0 + t % 32 * 4);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 u = p[k][ty], v = q[k][tx], w = q[k][tx + 16];
            float x[4] = {u.x, u.y, u.z, u.w}, y[8] = {v.x, v.y, v.z, v.w, w.x, w.y, w.z, w.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float4 *row = (float4 *)(o + (y0 + ty * 4 + i) * n + x0);
        row[tx] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        row[tx + 16] = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}
__global__ void mm_wmma_8x32(ARGS) // 8 x 32 x 16 in half, made of words on the way into the tile; a warp 8 rows, 64 columns
{
    using namespace nvcuda;
    __shared__ __align__(32) __half p[32][16], q[16][64];
    int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 64, y0 = blockIdx.y * 32;
    wmma::fragment<wmma::accumulator, 8, 32, 16, float> c[2];
    wmma::fill_fragment(c[0], 0.0f); wmma::fill_fragment(c[1], 0.0f);
    for (int k0 = 0; k0 < n; k0 += 16) {
        float4 v = *(const float4 *)(a + (y0 + t / 4) * n + k0 + t % 4 * 4);
        *(__half2 *)&p[t / 4][t % 4 * 4] = __floats2half2_rn(v.x, v.y); *(__half2 *)&p[t / 4][t % 4 * 4 + 2] = __floats2half2_rn(v.z, v.w);
        for (int k = t; k < 256; k += 128) {
            v = *(const float4 *)(b + (k0 + k / 16) * n + x0 + k % 16 * 4);
            *(__half2 *)&q[k / 16][k % 16 * 4] = __floats2half2_rn(v.x, v.y); *(__half2 *)&q[k / 16][k % 16 * 4 + 2] = __floats2half2_rn(v.z, v.w);
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 8, 32, 16, __half, wmma::row_major> u;
        wmma::load_matrix_sync(u, p[threadIdx.y * 8], 16);
#pragma unroll
        for (int j = 0; j < 2; j++) {
            wmma::fragment<wmma::matrix_b, 8, 32, 16, __half, wmma::row_major> w;
            wmma::load_matrix_sync(w, &q[0][j * 32], 64);
            wmma::mma_sync(c[j], u, w, c[j]);
        }
        __syncthreads();
    }
    for (int j = 0; j < 2; j++) wmma::store_matrix_sync(o + (y0 + threadIdx.y * 8) * n + x0 + j * 32, c[j], n, wmma::mem_row_major);
}
__global__ void mm_ring_three(ARGS) // 64 x 64 by 16, a ring of three tiles filled by asynchronous copies
{
    __shared__ __align__(16) float p[3][64][20], q[3][16][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, steps = n / 16;
    const float *u = a + (blockIdx.y * 64 + t / 4) * n + t % 4 * 4, *v = b + t / 16 * n + blockIdx.x * 64 + t % 16 * 4;
    float sum[4][4] = {};
    for (int s = 0; s < 2; s++) {
        __pipeline_memcpy_async(&p[s][t / 4][t % 4 * 4], u + s * 16, 16); __pipeline_memcpy_async(&q[s][t / 16][t % 16 * 4], v + s * 16 * n, 16);
        __pipeline_commit();
    }
    for (int step = 0; step < steps; step++) {
        int now = step % 3, next = (step + 2) % 3;
        __pipeline_wait_prior(1);
        __syncthreads();
        if (step + 2 < steps) {
            __pipeline_memcpy_async(&p[next][t / 4][t % 4 * 4], u + (step + 2) * 16, 16);
            __pipeline_memcpy_async(&q[next][t / 16][t % 16 * 4], v + (step + 2) * 16 * n, 16);
        }
        __pipeline_commit();
#pragma unroll 8
        for (int k = 0; k < 16; k++) {
            float4 y = *(float4 *)&q[now][k][tx * 4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float x = p[now][ty * 4 + i][k];
                sum[i][0] += x * y.x; sum[i][1] += x * y.y; sum[i][2] += x * y.z; sum[i][3] += x * y.w;
            }
        }
    }
    for (int i = 0; i < 4; i++) *(float4 *)(o + (blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
__global__ void gram_tall(ARGS) // the products of 16 columns with each other, 2048 rows a block, a thread an entry
{
    __shared__ float s[64][16];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    float sum = 0;
    for (int r = 0; r < 32; r++) {
        __syncthreads();
        ((float4 *)s)[t] = ((const float4 *)a)[(blockIdx.x * 32 + r) * 256 + t];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 64; k++) sum += s[k][tx] * s[k][ty];
    }
    atomicAdd(o + t, sum);
}
__global__ void column_dots(ARGS) // column by column in double, strips of 64 rows met by atomics on doubles
{
    __shared__ double s[128];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 128 + tx;
    double sum = 0;
#pragma unroll 8
    for (int k = ty; k < 64; k += 2) sum += (double)a[(blockIdx.y * 64 + k) * n + x] * b[(blockIdx.y * 64 + k) * n + x];
    if (ty) s[tx] = sum;
    __syncthreads();
    if (!ty) atomicAdd((double *)o + x, sum + s[tx]);
}
// ---- grids
__global__ void heat_four(ARGS) // four time steps in a tile that shrinks
{
    __shared__ float s[2][40][40];
    int t = threadIdx.y * 32 + threadIdx.x, x0 = blockIdx.x * 32 - 4, y0 = blockIdx.y * 32 - 4;
    for (int c = t; c < 1600; c += 256) s[0][c / 40][c % 40] = a[within(y0 + c / 40, n) * n + within(x0 + c % 40, n)];
    __syncthreads();
#pragma unroll 1
    for (int step = 0; step < 4; step++) {
        float (*f)[40] = s[step & 1], (*g)[40] = s[~step & 1];
        for (int c = t; c < 1600; c += 256) {
            int x = c % 40, y = c / 40;
            if (min(x, y) > step && max(x, y) < 39 - step) g[y][x] = f[y][x] + 0.2f * (f[y - 1][x] + f[y + 1][x] + f[y][x - 1] + f[y][x + 1] - 4 * f[y][x]);
        }
        __syncthreads();
    }
    for (int j = threadIdx.y; j < 32; j += 8) o[(y0 + 4 + j) * n + x0 + 4 + threadIdx.x] = s[0][j + 4][threadIdx.x + 4];
}
__global__ void star_queue(ARGS) // radius two in space, 128 x 128 x depth: a queue along z, a plane in shared memory
{
    __shared__ float s[8][68];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64 + tx, y = blockIdx.y % 32 * 4 + ty, z0 = blockIdx.y / 32 * 16, depth = n * n / 16384;
    auto at = [&](int i, int j, int k) { return a[(within(k, depth) * 128 + within(j, 128)) * 128 + within(i, 128)]; };
    float q[5] = {0, at(x, y, z0 - 2), at(x, y, z0 - 1), at(x, y, z0), at(x, y, z0 + 1)};
#pragma unroll 1
    for (int z = z0; z < z0 + 16; z++) {
        for (int k = 0; k < 4; k++) q[k] = q[k + 1];
        q[4] = at(x, y, z + 2);
        __syncthreads();
        s[ty + 2][tx + 2] = q[2];
        if (ty < 2) { s[ty][tx + 2] = at(x, y - 2, z); s[ty + 6][tx + 2] = at(x, y + 4, z); }
        if (tx < 2) { s[ty + 2][tx] = at(x - 2, y, z); s[ty + 2][tx + 66] = at(x + 64, y, z); }
        __syncthreads();
        float near = s[ty + 1][tx + 2] + s[ty + 3][tx + 2] + s[ty + 2][tx + 1] + s[ty + 2][tx + 3] + q[1] + q[3];
        float far = s[ty][tx + 2] + s[ty + 4][tx + 2] + s[ty + 2][tx] + s[ty + 2][tx + 4] + q[0] + q[4];
        o[(z * 128 + y) * 128 + x] = 16 * near - far - 90 * q[2];
    }
}
__global__ void gauss_fused(ARGS) // 11 taps along x, then along y, both in one kernel
{
    __shared__ float s[26][26], r[26][16];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, x0 = blockIdx.x * 16 - 5, y0 = blockIdx.y * 16 - 5;
    for (int c = t; c < 676; c += 256) s[c / 26][c % 26] = a[within(y0 + c / 26, n) * n + within(x0 + c % 26, n)];
    __syncthreads();
    for (int c = t; c < 416; c += 256) {
        float sum = 0;
        for (int k = 0; k < 11; k++) sum += taps[k] * s[c / 16][c % 16 + k];
        r[c / 16][c % 16] = sum;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 11; k++) sum += taps[k] * r[ty + k][tx];
    o[(y0 + 5 + ty) * n + x0 + 5 + tx] = sum;
}
// ---- rows
__device__ __forceinline__ __nv_bfloat162 added(unsigned u, unsigned v) // bits cut so that both are small and finite
{
    u &= 0x3fff3fffu; v &= 0x3fff3fffu;
    return __hadd2(*(__nv_bfloat162 *)&u, *(__nv_bfloat162 *)&v);
}
__device__ __forceinline__ float squares(unsigned u, unsigned v) { float2 f = __bfloat1622float2(added(u, v)); return f.x * f.x + f.y * f.y; }
__device__ __forceinline__ unsigned scaled(unsigned u, unsigned v, __nv_bfloat162 by) { __nv_bfloat162 r = __hmul2(added(u, v), by); return *(unsigned *)&r; }
__global__ void rms_bf16(ARGS) // two rows added, then normed: n bfloat16 a row, 64 threads, eight numbers a load
{
    __shared__ float part[2];
    int t = threadIdx.x, count = n / 8;
    const uint4 *p = (const uint4 *)a + blockIdx.x * count, *q = (const uint4 *)b + blockIdx.x * count;
    float sum = 0;
    for (int i = t; i < count; i += 64) { uint4 u = p[i], v = q[i]; sum += squares(u.x, v.x) + squares(u.y, v.y) + squares(u.z, v.z) + squares(u.w, v.w); }
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
    if (t % 32 == 0) part[t / 32] = sum;
    __syncthreads();
    __nv_bfloat162 by = __float2bfloat162_rn(rsqrtf((part[0] + part[1]) / n + 1e-5f));
    for (int i = t; i < count; i += 64) {
        uint4 u = p[i], v = q[i];
        ((uint4 *)o)[blockIdx.x * count + i] = make_uint4(scaled(u.x, v.x, by), scaled(u.y, v.y, by), scaled(u.z, v.z, by), scaled(u.w, v.w, by));
    }
}
__global__ void attend_window(ARGS) // a warp a query of 64, the 32 keys up to it, softmax on the way
{
    int row = AT / 32, lane = threadIdx.x % 32;
    const float2 *p = (const float2 *)a, *q = (const float2 *)b;
    float2 query = p[row * 32 + lane], sum = make_float2(0, 0);
    float most = -1e30f, all = 0;
#pragma unroll 2
    for (int k = 0; k < 32; k++) {
        int at = max(row - k, 0) * 32 + lane;
        float2 key = q[at], value = p[at];
        float d = query.x * key.x + query.y * key.y;
#pragma unroll
        for (int w = 16; w > 0; w >>= 1) d += __shfl_xor_sync(FULL, d, w);
        float m = fmaxf(most, d * 0.125f), old = __expf(most - m), now = __expf(d * 0.125f - m);
        sum.x = sum.x * old + now * value.x; sum.y = sum.y * old + now * value.y; all = all * old + now; most = m;
    }
    ((float2 *)o)[row * 32 + lane] = make_float2(sum.x / all, sum.y / all);
}
__global__ void recur_scan(ARGS) // y[i] = a[i] y[i - 1] + b[i] over 1024, all threads at every distance, twenty barriers
{
    __shared__ float2 s[1024];
    int t = threadIdx.x;
    float2 v = make_float2(a[AT], b[AT]);
    s[t] = v;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        float2 u = t >= d ? s[t - d] : make_float2(1, 0);
        __syncthreads();
        v.y += v.x * u.y; v.x *= u.x;
        s[t] = v;
        __syncthreads();
    }
    o[AT] = v.y;
}
// ---- counting, moving, blocks
__global__ void hist_joint(ARGS) // 96 x 128 bins of two values, all of 48 KB, 60 blocks of 1024
{
    __shared__ unsigned count[12288];
    for (int k = threadIdx.x; k < 12288; k += 1024) count[k] = 0;
    __syncthreads();
    for (int i = AT; i < n * n; i += gridDim.x * 1024) {
        int u = (a[i] + 0.5f) * 96, v = (b[(i + 1) & (n * n - 1)] + 0.5f) * 128;
        atomicAdd(&count[within(u, 96) * 128 + within(v, 128)], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 12288; k += 1024) if (count[k]) atomicAdd((unsigned *)o + k, count[k]);
}
__global__ void tr_float2(ARGS) // n rows of n / 2 pairs, tiles of 16 x 16, 64 threads
{
    __shared__ float2 s[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, w = n / 2, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
    for (int j = ty; j < 16; j += 4) s[j][tx] = ((const float2 *)a)[(y0 + j) * w + x0 + tx];
    __syncthreads();
    for (int j = ty; j < 16; j += 4) ((float2 *)o)[(x0 + j) * n + y0 + tx] = s[tx][j];
}
__global__ void bodies_shuffle(ARGS) // 4 n bodies, 32 at a time from lane to lane
{
    float4 me = ((const float4 *)a)[AT];
    float x = 0, y = 0, z = 0;
    for (int base = 0; base < 4 * n; base += 32) {
        float4 v = ((const float4 *)a)[base + threadIdx.x % 32];
#pragma unroll 8
        for (int k = 0; k < 32; k++) {
            float dx = __shfl_sync(FULL, v.x, k) - me.x, dy = __shfl_sync(FULL, v.y, k) - me.y, dz = __shfl_sync(FULL, v.z, k) - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), w = __shfl_sync(FULL, v.w, k) * r * r * r;
            x += dx * w; y += dy * w; z += dz * w;
        }
    }
    ((float4 *)o)[AT] = make_float4(x, y, z, 0);
}
__global__ void half_scatter(ARGS) // a warp adds 32 pairs of halves to one of 4096 rows
{
    unsigned row = mix(AT / 32) & 4095;
    atomicAdd((__half2 *)o + row * 32 + threadIdx.x % 32, __floats2half2_rn(a[AT], b[AT]));
}
__global__ void banks_odd(ARGS) // shared memory in conflicts of five, three and seven
{
    __shared__ float s[4][256];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int five = lane % 5 * 32 + lane / 5, three = lane % 3 * 32 + lane / 3, seven = lane % 7 * 32 + lane / 7;
    float v = a[AT];
    for (int k = lane; k < 256; k += 32) s[warp][k] = v;
    __syncwarp();
#pragma unroll 2
    for (int k = 0; k < 16; k++) {
        s[warp][five] = v;
        __syncwarp();
        v = 0.5f * v + s[warp][three];
        v = 0.5f * v + s[warp][seven + k % 2];
        __syncwarp();
    }
    o[AT] = v;
}
__global__ void tail_blocks(ARGS) // the last blocks have by far the most to do
{
    float x = a[AT] + 0.5f, c = 3.6f + 0.4f * b[blockIdx.x];
    int count = 256 + 16384 / (gridDim.x - blockIdx.x);
#pragma unroll 1
    for (int k = 0; k < count; k++) x = c * x * (1 - x);
    o[AT] = x;
}
__global__ void noise_table(ARGS) // gradient noise, four octaves, from a table of 256 bytes
{
    __shared__ unsigned char s[256];
    int t = threadIdx.y * 8 + threadIdx.x, x = AT, y = blockIdx.y * 8 + threadIdx.y;
    for (int k = t; k < 256; k += 64) s[k] = mix(k);
    __syncthreads();
    float u = x * 0.03f + 0.1f * a[y * n + x], v = y * 0.03f, sum = 0, size = 1;
#pragma unroll 1
    for (int octave = 0; octave < 4; octave++, u *= 2, v *= 2, size *= 0.5f) {
        int i = floorf(u), j = floorf(v);
        float fu = u - i, fv = v - j, su = fu * fu * (3 - 2 * fu), sv = fv * fv * (3 - 2 * fv), g[4];
        for (int k = 0; k < 4; k++) {
            float2 d = compass[s[(s[(i + k % 2) & 255] + j + k / 2) & 255] & 7];
            g[k] = d.x * (fu - k % 2) + d.y * (fv - k / 2);
        }
        float top = g[0] + su * (g[1] - g[0]), bottom = g[2] + su * (g[3] - g[2]);
        sum += size * (top + sv * (bottom - top));
    }
    o[y * n + x] = sum;
}
__global__ void motion_bytes(ARGS) // a warp 8 x 8 bytes, a lane one of 32 shifts, squares of differences by dp4a
{
    int warp = AT / 32, lane = threadIdx.x % 32, x = warp % (n / 2), y = warp / (n / 2) * 8, p = x * 8 + lane - 16, turn = (p & 3) * 8;
    int w0 = within(p >> 2, n), w1 = within((p >> 2) + 1, n), w2 = within((p >> 2) + 2, n);
    const unsigned *f = (const unsigned *)a + y * n, *g = (const unsigned *)b + y * n;
    unsigned score = 0;
#pragma unroll 2
    for (int j = 0; j < 8; j++, f += n, g += n) {
        uint2 u = *(const uint2 *)(f + x * 2);
        unsigned v0 = g[w0], v1 = g[w1], v2 = g[w2];
        unsigned d0 = __vabsdiffu4(u.x, __funnelshift_r(v0, v1, turn)), d1 = __vabsdiffu4(u.y, __funnelshift_r(v1, v2, turn));
        score = __dp4a(d1, d1, __dp4a(d0, d0, score));
    }
    score = __reduce_min_sync(FULL, score << 5 | lane);
    if (lane == 0) ((unsigned *)o)[warp] = score;
}
// ---- Cholesky of 32 x 32
__global__ void chol_shared(ARGS) // 128 threads, the matrix in shared memory, three barriers a column
{
    __shared__ float s[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, at = blockIdx.x * 1024;
    for (int j = ty; j < 32; j += 4) s[j][tx] = a[at + j * 32 + tx] + (j == tx ? 20 : 0);
#pragma unroll 1
    for (int k = 0; k < 32; k++) {
        __syncthreads();
        float r = rsqrtf(s[k][k]);
        __syncthreads();
        if (ty == 0 && tx >= k) s[tx][k] *= r;
        __syncthreads();
        for (int j = k + 1 + ty; j < 32; j += 4) if (tx >= j) s[tx][j] -= s[tx][k] * s[j][k];
    }
    __syncthreads();
    for (int j = ty; j < 32; j += 4) o[at + j * 32 + tx] = tx <= j ? s[j][tx] : 0;
}
__global__ void chol_lanes(ARGS) // a warp, a lane a row in registers
{
    int lane = threadIdx.x % 32, at = AT * 8;
    float r[32];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float4 v = ((const float4 *)a)[at + k];
        r[k * 4] = v.x; r[k * 4 + 1] = v.y; r[k * 4 + 2] = v.z; r[k * 4 + 3] = v.w;
    }
#pragma unroll
    for (int k = 0; k < 32; k++) {
        if (lane == k) r[k] += 20;
        r[k] *= rsqrtf(__shfl_sync(FULL, r[k], k));
#pragma unroll
        for (int j = k + 1; j < 32; j++) r[j] -= r[k] * __shfl_sync(FULL, r[k], j);
    }
#pragma unroll
    for (int k = 0; k < 32; k++) if (k > lane) r[k] = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) ((float4 *)o)[at + k] = make_float4(r[k * 4], r[k * 4 + 1], r[k * 4 + 2], r[k * 4 + 3]);
}
// ---- tridiagonal systems of 64 unknowns: a x[i - 1] + 3 x[i] + b x[i + 1] = 1 + a
__global__ void tri_thomas(ARGS) // a thread a system, down and up, neighbours beside each other
{
    __shared__ float c[64][64], d[64][64];
    int t = threadIdx.x, all = n * n / 64;
    float u = 0, x = 0;
#pragma unroll 2
    for (int k = 0; k < 64; k++) {
        float low = k ? a[k * all + AT] : 0, r = 1 / (3 - low * u);
        x = (1 + a[k * all + AT] - low * x) * r; u = k < 63 ? b[k * all + AT] * r : 0;
        c[k][t] = u; d[k][t] = x;
    }
    x = 0;
    for (int k = 63; k >= 0; k--) { x = d[k][t] - c[k][t] * x; o[k * all + AT] = x; }
}
__global__ void tri_reduction(ARGS) // a thread an unknown, parallel cyclic reduction in six steps
{
    __shared__ float l[4][64], u[4][64], r[4][64];
    int k = threadIdx.x, s = threadIdx.y, i = (blockIdx.x * 4 + s) * 64 + k;
    float x = (1 + a[i]) / 3, low = k ? a[i] / 3 : 0, up = k < 63 ? b[i] / 3 : 0;
#pragma unroll
    for (int d = 1; d < 64; d *= 2) {
        l[s][k] = low; u[s][k] = up; r[s][k] = x;
        __syncthreads();
        float l0 = 0, u0 = 0, r0 = 0, l1 = 0, u1 = 0, r1 = 0;
        if (k >= d) { l0 = l[s][k - d]; u0 = u[s][k - d]; r0 = r[s][k - d]; }
        if (k + d < 64) { l1 = l[s][k + d]; u1 = u[s][k + d]; r1 = r[s][k + d]; }
        float by = 1 / (1 - low * u0 - up * l1);
        x = (x - low * r0 - up * r1) * by; low *= -l0 * by; up *= -u1 * by;
        __syncthreads();
    }
    o[i] = x;
}
// ---- Viterbi: 64 states, 64 steps of two soft bits
__device__ __forceinline__ float sign_of(int bits) { return __popc(bits) & 1 ? -1.0f : 1.0f; }
__device__ __forceinline__ unsigned long long traced(const unsigned (*kept)[2])
{
    unsigned state = 0;
    unsigned long long word = 0;
    for (int k = 63; k >= 0; k--) {
        word |= (unsigned long long)(state >> 5) << k;
        state = (state << 1 & 63) | (kept[k][state >> 5] >> (state & 31) & 1);
    }
    return word;
}
__global__ void viterbi_shared(ARGS) // a thread a state, the scores in shared memory
{
    __shared__ float m[2][64];
    __shared__ unsigned kept[64][2];
    int s = threadIdx.x;
    const float *y = a + blockIdx.x * 128;
    float s0 = sign_of(2 * s & 91), s1 = sign_of(2 * s & 121);
    m[0][s] = s ? -100 : 0;
    __syncthreads();
    for (int k = 0; k < 64; k++) {
        float step = s0 * y[2 * k] + s1 * y[2 * k + 1], u = m[k & 1][2 * s & 63] + step, v = m[k & 1][(2 * s & 63) + 1] - step;
        unsigned word = __ballot_sync(FULL, v > u);
        m[~k & 1][s] = fmaxf(u, v);
        if (s % 32 == 0) kept[k][s / 32] = word;
        __syncthreads();
    }
    if (s == 0) ((unsigned long long *)o)[blockIdx.x] = traced(kept);
}
__global__ void viterbi_lanes(ARGS) // a warp a message, two states a lane, shuffled
{
    __shared__ unsigned kept[4][64][2];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, from = 2 * lane & 31;
    const float *y = a + (AT / 32) * 128;
    float s0 = sign_of(2 * lane & 91), s1 = sign_of(2 * lane & 121), h0 = sign_of((2 * lane + 64) & 91), h1 = sign_of((2 * lane + 64) & 121);
    float m0 = lane ? -100 : 0, m1 = -100; // of states 2 lane and 2 lane + 1
#pragma unroll 2
    for (int k = 0; k < 64; k++) {
        float y0 = y[2 * k], y1 = y[2 * k + 1], low = s0 * y0 + s1 * y1, high = h0 * y0 + h1 * y1;
        unsigned w0 = __ballot_sync(FULL, m1 - low > m0 + low), w1 = __ballot_sync(FULL, m1 - high > m0 + high);
        low = fmaxf(m0 + low, m1 - low); high = fmaxf(m0 + high, m1 - high); // of states lane and lane + 32
        float p = __shfl_sync(FULL, low, from), q = __shfl_sync(FULL, high, from), u = __shfl_sync(FULL, low, from + 1), v = __shfl_sync(FULL, high, from + 1);
        m0 = lane < 16 ? p : q; m1 = lane < 16 ? u : v;
        if (lane == 0) { kept[warp][k][0] = w0; kept[warp][k][1] = w1; }
    }
    if (lane == 0) ((unsigned long long *)o)[AT / 32] = traced(kept[warp]);
}
// ---- digests of messages of 16 words, 64 rounds
#define TURN(x, k) __funnelshift_r(x, x, k)
__device__ __forceinline__ void stir(unsigned v[8], unsigned w)
{
    unsigned p = v[7] + (TURN(v[4], 5) ^ TURN(v[4], 12) ^ TURN(v[4], 23)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + w;
    unsigned q = (TURN(v[0], 3) ^ TURN(v[0], 14) ^ TURN(v[0], 21)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
#pragma unroll
    for (int k = 7; k > 0; k--) v[k] = v[k - 1];
    v[4] += p; v[0] = p + q;
}
__device__ __forceinline__ unsigned spread(unsigned x, unsigned y) { return (TURN(x, 6) ^ TURN(x, 19) ^ x >> 3) + (TURN(y, 15) ^ TURN(y, 20) ^ y >> 10); }
__global__ void digest_unrolled(ARGS) // the message in registers, all rounds written out
{
    unsigned w[16], v[8];
#pragma unroll
    for (int k = 0; k < 4; k++) { uint4 q = ((const uint4 *)a)[AT * 4 + k]; w[k * 4] = q.x; w[k * 4 + 1] = q.y; w[k * 4 + 2] = q.z; w[k * 4 + 3] = q.w; }
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = 0x6a09e667u * (k + 1);
#pragma unroll
    for (int k = 0; k < 64; k++) {
        if (k >= 16) w[k % 16] += w[(k + 9) % 16] + spread(w[(k + 1) % 16], w[(k + 14) % 16]);
        stir(v, w[k % 16] + 0x9e3779b9u * (k + 1));
    }
    ((uint4 *)o)[AT * 2] = make_uint4(v[0], v[1], v[2], v[3]); ((uint4 *)o)[AT * 2 + 1] = make_uint4(v[4], v[5], v[6], v[7]);
}
__global__ void digest_rolled(ARGS) // the message in shared memory, a loop
{
    __shared__ unsigned w[16][128];
    unsigned v[8], t = threadIdx.x;
    for (int k = 0; k < 4; k++) { uint4 q = ((const uint4 *)a)[AT * 4 + k]; w[k * 4][t] = q.x; w[k * 4 + 1][t] = q.y; w[k * 4 + 2][t] = q.z; w[k * 4 + 3][t] = q.w; }
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = 0x6a09e667u * (k + 1);
#pragma unroll 1
    for (int k = 0; k < 64; k++) {
        unsigned x = w[k % 16][t];
        if (k >= 16) w[k % 16][t] = x += w[(k + 9) % 16][t] + spread(w[(k + 1) % 16][t], w[(k + 14) % 16][t]);
        stir(v, x + 0x9e3779b9u * (k + 1));
    }
    ((uint4 *)o)[AT * 2] = make_uint4(v[0], v[1], v[2], v[3]); ((uint4 *)o)[AT * 2 + 1] = make_uint4(v[4], v[5], v[6], v[7]);
}
// ---- numbers of 256 bits times each other
__global__ void wide_thread(ARGS) // a thread a product
{
    unsigned x[8], y[8], r[16] = {};
#pragma unroll
    for (int k = 0; k < 2; k++) {
        uint4 u = ((const uint4 *)a)[AT * 2 + k], v = ((const uint4 *)b)[AT * 2 + k];
        x[k * 4] = u.x; x[k * 4 + 1] = u.y; x[k * 4 + 2] = u.z; x[k * 4 + 3] = u.w; y[k * 4] = v.x; y[k * 4 + 1] = v.y; y[k * 4 + 2] = v.z; y[k * 4 + 3] = v.w;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        unsigned long long c = 0;
#pragma unroll
        for (int j = 0; j < 8; j++) { c += (unsigned long long)x[i] * y[j] + r[i + j]; r[i + j] = c; c >>= 32; }
        r[i + 8] = c;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) ((uint4 *)o)[AT * 4 + k] = make_uint4(r[k * 4], r[k * 4 + 1], r[k * 4 + 2], r[k * 4 + 3]);
}
__device__ __forceinline__ unsigned carried(unsigned x, unsigned y) // a sum across lanes, the carries found by one addition
{
    unsigned sum = x + y, made = __ballot_sync(FULL, sum < x), passed = __ballot_sync(FULL, sum == ~0u);
    return sum + ((((made << 1) + passed) ^ passed) >> threadIdx.x % 32 & 1);
}
__global__ void wide_lanes(ARGS) // sixteen lanes a product, a lane a word of it
{
    int k = threadIdx.x % 16, at = AT / 16 * 8 + k % 8;
    unsigned x = ((const unsigned *)a)[at], y = ((const unsigned *)b)[at], over = 0;
    unsigned long long sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        unsigned u = __shfl_sync(FULL, x, i, 16), v = __shfl_sync(FULL, y, (k - i) & 15, 16);
        if (k < i || k - i > 7) v = 0;
        unsigned long long part = (unsigned long long)u * v;
        sum += part; over += sum < part;
    }
    unsigned middle = __shfl_up_sync(FULL, (unsigned)(sum >> 32), 1, 16), high = __shfl_up_sync(FULL, over, 2, 16);
    ((unsigned *)o)[AT] = carried(carried((unsigned)sum, k > 0 ? middle : 0), k > 1 ? high : 0);
}
// ---- a sparse matrix as a list of entries, rows rising, 13 or so a row, columns anywhere in 65536
__device__ __forceinline__ unsigned row_of(unsigned i) { unsigned q = i / 13; return q + (i - q * 13 > mix(q) % 13); }
__global__ void coo_atomic(ARGS) // an atomic an entry
{
    atomicAdd(o + row_of(AT), a[AT] * b[mix(AT) & 65535]);
}
__global__ void coo_segments(ARGS) // summed within the warp first
{
    unsigned row = row_of(AT), lane = threadIdx.x % 32;
    float v = a[AT] * b[mix(AT) & 65535];
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        float w = __shfl_down_sync(FULL, v, d);
        unsigned r = __shfl_down_sync(FULL, row, d);
        if (lane + d < 32 && r == row) v += w;
    }
    unsigned before = __shfl_up_sync(FULL, row, 1);
    if (lane == 0 || before != row) atomicAdd(o + row, v);
}
// ---- Bloom filters of n * n / 4 words, six bits a key
__global__ void bloom_spread(ARGS) // the bits anywhere, until one is missing
{
    unsigned key = BITS(a[AT]) + AT;
    bool in = true;
#pragma unroll 1
    for (int k = 0; k < 6; k++) {
        unsigned h = mix(key + k * 0x61c88647u);
        if (!(((const unsigned *)b)[h & (n * n / 4 - 1)] >> (h >> 27) & 1)) { in = false; break; }
    }
    unsigned word = __ballot_sync(FULL, in);
    if (threadIdx.x % 32 == 0) ((unsigned *)o)[AT / 32] = word;
}
__global__ void bloom_blocked(ARGS) // the bits in one piece of 32 bytes
{
    unsigned key = BITS(a[AT]) + AT, h = mix(key), g = mix(h), at = (h & (n * n / 32 - 1)) * 2;
    uint4 p = ((const uint4 *)b)[at], q = ((const uint4 *)b)[at + 1];
    unsigned in = (p.x >> (g & 31)) & (p.y >> (g >> 5 & 31)) & (p.z >> (g >> 10 & 31)) & (p.w >> (g >> 15 & 31)) & (q.x >> (g >> 20 & 31)) & (q.w >> (g >> 25 & 31));
    unsigned word = __ballot_sync(FULL, in & 1);
    if (threadIdx.x % 32 == 0) ((unsigned *)o)[AT / 32] = word;
}
// ---- the eight nearest of 2048
__device__ __forceinline__ float apart(float4 u, float4 v) { float x = u.x - v.x, y = u.y - v.y, z = u.z - v.z, w = u.w - v.w; return x * x + y * y + z * z + w * w; }
__global__ void near_insert(ARGS) // a sorted list in registers
{
    __shared__ float4 s[256];
    float4 q = ((const float4 *)a)[AT];
    float best[8], sum = 0;
#pragma unroll
    for (int j = 0; j < 8; j++) best[j] = 1e30f;
    for (int base = 0; base < 2048; base += 256) {
        __syncthreads();
        for (int k = threadIdx.x; k < 256; k += 128) s[k] = ((const float4 *)b)[base + k];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 256; k++) {
            float d = apart(q, s[k]);
            if (d < best[7]) {
                best[7] = d;
#pragma unroll
                for (int j = 7; j > 0; j--) { float low = fminf(best[j - 1], best[j]); best[j] = fmaxf(best[j - 1], best[j]); best[j - 1] = low; }
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 8; j++) sum += best[j] * (j + 1);
    o[AT] = sum;
}
__global__ void near_heap(ARGS) // a heap in shared memory
{
    __shared__ float4 s[256];
    __shared__ float h[8][128];
    int t = threadIdx.x;
    float4 q = ((const float4 *)a)[AT];
    float sum = 0;
    for (int j = 0; j < 8; j++) h[j][t] = 1e30f;
    for (int base = 0; base < 2048; base += 256) {
        __syncthreads();
        for (int k = t; k < 256; k += 128) s[k] = ((const float4 *)b)[base + k];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 256; k++) {
            float d = apart(q, s[k]);
            if (d >= h[0][t]) continue;
            int i = 0;
            for (int c = 1; c < 8; c = 2 * i + 1) {
                if (c < 7 && h[c + 1][t] > h[c][t]) c++;
                if (h[c][t] <= d) break;
                h[i][t] = h[c][t]; i = c;
            }
            h[i][t] = d;
        }
    }
    for (int j = 0; j < 8; j++) sum += h[j][t];
    o[AT] = sum;
}
// ---- labels of the connected cells of 16 x 16
__global__ void label_spread(ARGS) // the least of the neighbours, until none changes
{
    __shared__ int s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx, more = 1;
    for (int c = ty * 16 + tx; c < 324; c += 256) s[c / 18][c % 18] = 9999;
    __syncthreads();
    bool solid = a[at] > -0.05f;
    int label = solid ? ty * 16 + tx : 9999;
    s[ty + 1][tx + 1] = label;
    __syncthreads();
    while (more) {
        int least = label;
        if (solid) least = min(min(min(s[ty][tx + 1], s[ty + 2][tx + 1]), min(s[ty + 1][tx], s[ty + 1][tx + 2])), label);
        more = __syncthreads_or(least != label);
        s[ty + 1][tx + 1] = label = least;
        __syncthreads();
    }
    ((int *)o)[at] = label;
}
__device__ __forceinline__ int root_of(volatile int *s, int x) { for (int up = s[x]; up != x; up = s[x]) x = up; return x; }
__device__ __forceinline__ void unite(int *s, int u, int v)
{
    for (;;) {
        u = root_of(s, u); v = root_of(s, v);
        if (u == v) break;
        int low = min(u, v), high = max(u, v), old = atomicMin(s + high, low);
        if (old == high) break;
        u = old; v = low;
    }
}
__global__ void label_union(ARGS) // trees in shared memory, joined by atomics
{
    __shared__ int s[256];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, at = (blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx;
    bool solid = a[at] > -0.05f;
    s[t] = solid ? t : 9999;
    __syncthreads();
    bool left = solid && tx > 0 && s[t - 1] < 9999, above = solid && ty > 0 && s[t - 16] < 9999;
    __syncthreads();
    if (left) unite(s, t, t - 1);
    if (above) unite(s, t, t - 16);
    __syncthreads();
    ((int *)o)[at] = solid ? root_of(s, t) : 9999;
}
// ---- Huffman codes of 3 to 8 bits, 32 symbols a thread out of eight words of its own
#define REFILL if (have <= 32) { if (word < 8) bits |= (unsigned long long)mix(((const unsigned *)a)[at + 256 * word]) << (32 - have); have += 32; word++; }
__global__ void huffman_bits(ARGS) // bit by bit
{
    int at = blockIdx.x * 2048 + threadIdx.x, have = 0, word = 0;
    unsigned long long bits = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        unsigned out = 0;
#pragma unroll 1
        for (int j = 0; j < 4; j++) {
            REFILL
            int code = 0, first = 0, symbol = 0, length = 1;
            for (;; length++) {
                code = code * 2 + (int)(bits >> 63); bits <<= 1; first *= 2;
                int count = per_length[length];
                if (code < first + count || length == 8) break;
                first += count; symbol += count;
            }
            have -= length;
            out = out << 8 | (symbol + code - first);
        }
        ((unsigned *)o)[at + 256 * k] = out;
    }
}
__global__ void huffman_table(ARGS) // eight bits at once by a table in shared memory
{
    __shared__ unsigned short s[256];
    int t = threadIdx.x, at = blockIdx.x * 2048 + t, have = 0, word = 0;
    int ones = min(__clz(~((unsigned)t << 24)), 6), long_ = ones < 6 ? ones + 3 : 8;
    s[t] = (ones * 4 + (t >> (8 - long_) & 3)) | long_ << 8;
    __syncthreads();
    unsigned long long bits = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        unsigned out = 0;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            REFILL
            unsigned entry = s[bits >> 56];
            bits <<= entry >> 8; have -= entry >> 8;
            out = out << 8 | (entry & 255);
        }
        ((unsigned *)o)[at + 256 * k] = out;
    }
}
// ---- matrices of 32 x 32 bits turned
__global__ void bits_ballot(ARGS) // 32 ballots
{
    unsigned x = BITS(a[AT]), lane = threadIdx.x % 32, y = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) { unsigned word = __ballot_sync(FULL, x >> k & 1); if (lane == k) y = word; }
    ((unsigned *)o)[AT] = y;
}
__global__ void bits_swap(ARGS) // five exchanges of halves
{
    unsigned x = BITS(a[AT]), lane = threadIdx.x % 32, low = 0xffff;
#pragma unroll
    for (int d = 16; d > 0; d >>= 1, low ^= low << d) {
        unsigned y = __shfl_xor_sync(FULL, x, d);
        x = lane & d ? (x & ~low) | (y >> d & low) : (x & low) | (y << d & ~low);
    }
    ((unsigned *)o)[AT] = x;
}
// ---- many matrices of p x q turned, p and q known only when it runs
__global__ void index_divide(ARGS) // two divisions a word
{
    unsigned p = n / 64 + 3, q = n / 32 + 5, all = n * n / (p * q) * (p * q);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        unsigned i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
        if (i >= all) break;
        unsigned r = i / p, x = i % p, z = r / q, y = r % q;
        o[(z * p + x) * q + y] = a[i];
    }
}
__global__ void index_multiply(ARGS) // two multiplications by what stands for the divisors
{
    unsigned p = n / 64 + 3, q = n / 32 + 5, all = n * n / (p * q) * (p * q), by_p = ~0u / p + 1, by_q = ~0u / q + 1;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        unsigned i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
        if (i >= all) break;
        unsigned r = __umulhi(i, by_p), x = i - r * p, z = __umulhi(r, by_q), y = r - z * q;
        o[(z * p + x) * q + y] = a[i];
    }
}
// ---- an interpreter of eight operations, each lane its own program of 32
__global__ void vm_switch(ARGS) // a switch
{
    float x = a[AT], y = b[AT ^ 1];
    unsigned seed = mix(BITS(x) + AT);
#pragma unroll 1
    for (int k = 0; k < 32; k++) {
        switch (seed >> 29) {
        case 0: x = x * y + 0.5f; break;
        case 1: x = sqrtf(fabsf(x) + 0.1f); break;
        case 2: { float z = x; x = y; y = z; break; }
        case 3: x = __sinf(x + y); break;
        case 4: x = y / (1 + x * x); break;
        case 5: y = b[seed >> 8 & 65535]; break;
        case 6: x = __uint_as_float((BITS(x) & 0x7fffff) | 0x3f000000) - 0.75f; break;
        default: y = fmaxf(x, y) - 0.25f * x;
        }
        seed = seed * 1664525u + 1013904223u;
    }
    o[AT] = x + y;
}
__global__ void vm_select(ARGS) // all eight, one of them kept
{
    float x = a[AT], y = b[AT ^ 1];
    unsigned seed = mix(BITS(x) + AT);
#pragma unroll 1
    for (int k = 0; k < 32; k++) {
        unsigned op = seed >> 29;
        float r0 = x * y + 0.5f, r1 = sqrtf(fabsf(x) + 0.1f), r3 = __sinf(x + y), r4 = y / (1 + x * x), r5 = b[seed >> 8 & 65535];
        float r6 = __uint_as_float((BITS(x) & 0x7fffff) | 0x3f000000) - 0.75f, r7 = fmaxf(x, y) - 0.25f * x, z = x;
        x = op == 0 ? r0 : op == 1 ? r1 : op == 2 ? y : op == 3 ? r3 : op == 4 ? r4 : op == 6 ? r6 : x;
        y = op == 2 ? z : op == 5 ? r5 : op == 7 ? r7 : y;
        seed = seed * 1664525u + 1013904223u;
    }
    o[AT] = x + y;
}
// ---- the maxima of 16 groups, in shared memory; 280 blocks of 1024: a wave and a bit
__global__ void max_exchange(ARGS) // compare and exchange until it holds
{
    __shared__ float s[16];
    int t = threadIdx.x;
    if (t < 16) s[t] = -1e30f;
    __syncthreads();
    for (int i = AT; i < n * n; i += gridDim.x * 1024) {
        float v = a[i] + b[n * n - 1 - i];
        int *p = (int *)s + (mix(i) & 15), old = *(volatile int *)p;
        while (__int_as_float(old) < v) {
            int was = atomicCAS(p, old, __float_as_int(v));
            if (was == old) break;
            old = was;
        }
    }
    __syncthreads();
    if (t < 16) o[blockIdx.x * 16 + t] = s[t];
}
__global__ void max_ordered(ARGS) // the atomic for integers, on bits in the order of the numbers
{
    __shared__ int s[16];
    int t = threadIdx.x;
    if (t < 16) s[t] = 0x80000000;
    __syncthreads();
    for (int i = AT; i < n * n; i += gridDim.x * 1024) {
        int v = __float_as_int(a[i] + b[n * n - 1 - i]);
        atomicMax(s + (mix(i) & 15), v ^ (v >> 31 & 0x7fffffff));
    }
    __syncthreads();
    if (t < 16) o[blockIdx.x * 16 + t] = __int_as_float(s[t] ^ (s[t] >> 31 & 0x7fffffff));
}
#define LADDER "ladder_i.def"
#include "ladder_run.h"
