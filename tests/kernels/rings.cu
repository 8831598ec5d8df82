// Whole kernels with bulk and tensor copies that no constant of the time model was chosen by: predicted first, then measured.
// nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o rings rings.cu && ./rings > rings.csv
// Rows: kernel,size,microseconds. Medians of 15 runs, L2 flushed by writing between them. A kernel whose result is wrong says so.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)
#define MAP const __grid_constant__ CUtensorMap
typedef unsigned u32;
typedef unsigned long long u64;
__device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(u32 bar, u32 count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory"); }
__device__ void inited() { asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ void expect(u32 bar, u32 bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory"); }
__device__ void arrive(u32 bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory"); }
__device__ void wait(u32 bar, u32 parity) { u32 ok; do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(bar), "r"(parity) : "memory"); while (!ok); }
__device__ void load1(u32 to, const void *from, u32 bytes, u32 bar) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory"); }
__device__ void load2(u32 to, const CUtensorMap *map, int x, int y, u32 bar) { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory"); }
__device__ void store1(void *to, u32 from, u32 bytes) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(to), "r"(from), "r"(bytes) : "memory"); }
__device__ void store2(const CUtensorMap *map, int x, int y, u32 from) { asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3]; cp.async.bulk.commit_group;" ::"l"(map), "r"(x), "r"(y), "r"(from) : "memory"); }
template <int N> __device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory"); }

// One tile of 32 by 32 floats a block: a tensor copy in, turned by 256 threads, a tensor copy out. Rows are conflict-free by the 128-byte swizzle.
extern "C" __global__ void turn_tile(MAP in, MAP out)
{
    __shared__ __align__(1024) float a[32 * 32], b[32 * 32]; __shared__ __align__(8) u64 full;
    if (threadIdx.x == 0) { init(at(&full), 1); inited(); expect(at(&full), sizeof a); load2(at(a), &in, blockIdx.x * 32, blockIdx.y * 32, at(&full)); }
    __syncthreads(); wait(at(&full), 0);
    for (int i = threadIdx.x; i < 1024; i += 256) { int r = i / 32, c = i % 32; b[c * 32 + (r / 4 ^ c % 8) * 4 + r % 4] = a[r * 32 + (c / 4 ^ r % 8) * 4 + c % 4]; }
    fence(); __syncthreads();
    if (threadIdx.x == 0) { store2(&out, blockIdx.y * 32, blockIdx.x * 32, at(b)); wait_read<0>(); }
}

// y = 2 x + y by pieces of 2048 floats: one warp brings them into three stages, eight warps compute, a bulk copy takes each back.
extern "C" __global__ void __launch_bounds__(288) scale_ring(const float *x, float *y, int pieces)
{
    constexpr int N = 2048, S = 3; extern __shared__ __align__(128) float ring[]; __shared__ __align__(8) u64 full[S], empty[S];
    if (threadIdx.x == 0) { for (int i = 0; i < S; i++) { init(at(&full[i]), 1); init(at(&empty[i]), 1); } inited(); }
    __syncthreads();
    if (threadIdx.x >= 256) {
        for (int p = blockIdx.x, i = 0; threadIdx.x == 256 && p < pieces; p += gridDim.x, i++) {
            int s = i % S; wait(at(&empty[s]), (i / S + 1) & 1); expect(at(&full[s]), 2 * N * 4);
            load1(at(ring + s * 2 * N), x + (size_t)p * N, N * 4, at(&full[s])); load1(at(ring + s * 2 * N + N), y + (size_t)p * N, N * 4, at(&full[s]));
        }
        return;
    }
    for (int p = blockIdx.x, i = 0; p < pieces; p += gridDim.x, i++) {
        int s = i % S; float4 *a = (float4 *)(ring + s * 2 * N), *b = a + N / 4; wait(at(&full[s]), i / S & 1);
        for (int k = threadIdx.x; k < N / 4; k += 256) { float4 u = a[k], v = b[k]; b[k] = make_float4(2 * u.x + v.x, 2 * u.y + v.y, 2 * u.z + v.z, 2 * u.w + v.w); }
        fence(); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x == 0) { store1(y + (size_t)p * N, at(b), N * 4); wait_read<0>(); arrive(at(&empty[s])); }
    }
}

// A mean of nine neighbours: a box of 72 by 34 floats, two of them and one under way; each thread makes eight results of a 64 by 32 tile.
extern "C" __global__ void __launch_bounds__(256) mean_box(MAP in, float *out, int n, int tiles)
{
    __shared__ __align__(128) float box[2][34 * 72 + 16]; __shared__ __align__(8) u64 full[2]; int wide = n / 64;
    if (threadIdx.x == 0) { init(at(&full[0]), 1); init(at(&full[1]), 1); inited(); expect(at(&full[0]), 34 * 72 * 4); load2(at(box[0]), &in, (int)(blockIdx.x % wide) * 64 - 4, (int)(blockIdx.x / wide) * 32 - 1, at(&full[0])); }
    __syncthreads();
    for (int t = blockIdx.x, i = 0; t < tiles; t += gridDim.x, i++) {
        int next = t + gridDim.x, s = i & 1;
        if (threadIdx.x == 0 && next < tiles) { expect(at(&full[s ^ 1]), 34 * 72 * 4); load2(at(box[s ^ 1]), &in, next % wide * 64 - 4, next / wide * 32 - 1, at(&full[s ^ 1])); }
        wait(at(&full[s]), i / 2 & 1); int c = threadIdx.x % 64, r = threadIdx.x / 64 * 8; const float *b = box[s] + c + 3;
        for (int k = r; k < r + 8; k++) { float v = 0; for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) v += b[(k + y) * 72 + x]; out[(size_t)(t / wide * 32 + k) * n + t % wide * 64 + c] = v * (1 / 9.f); }
        __syncthreads();
    }
}

// Products of bfloat16 with tiles that no microbenchmark has.
#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define D32(i) D8(i), D8(i + 8), D8(i + 16), D8(i + 24)
__device__ void multiply(float (&d)[32], u64 a, u64 b)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0; }" : D32(0) : "l"(a), "l"(b));
}
__device__ void multiply(float (&d)[96], u64 a, u64 b)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\nwgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95}, %96, %97, p, 1, 1, 0, 0; }" : D32(0), D32(32), D32(64) : "l"(a), "l"(b));
}
__device__ u64 descriptor(u32 tile) { return (u64)((tile & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62; }
// C = A B^T, columns of C a multiple of BN. A tile has GROUPS * 64 rows and BK = 64 columns.
template <int BN, int GROUPS, int STAGES> __device__ void product(const CUtensorMap *ma, const CUtensorMap *mb, float *c, int rows, int columns, int depth)
{
    extern __shared__ __align__(1024) char pool[]; constexpr u32 A = GROUPS * 8192, B = BN * 128; __shared__ __align__(8) u64 full[STAGES], empty[STAGES]; u32 tiles = at(pool);
    int group = threadIdx.x / 128, row = blockIdx.y * GROUPS * 64, column = blockIdx.x * BN, steps = depth / 64;
    if (threadIdx.x == 0) { for (int i = 0; i < STAGES; i++) { init(at(&full[i]), 1); init(at(&empty[i]), GROUPS); } inited(); }
    __syncthreads();
    if (group == GROUPS) {
        for (int i = 0; threadIdx.x % 128 == 0 && i < steps; i++) {
            int s = i % STAGES; u32 tile = tiles + s * (A + B); wait(at(&empty[s]), (i / STAGES + 1) & 1); expect(at(&full[s]), A + B);
            for (int g = 0; g < GROUPS; g++) load2(tile + g * 8192, ma, i * 64, row + g * 64, at(&full[s]));
            load2(tile + A, mb, i * 64, column, at(&full[s]));
        }
        return;
    }
    float d[BN / 2] = {};
    for (int i = 0; i < steps; i++) {
        int s = i % STAGES; u32 tile = tiles + s * (A + B), a = tile + group * 8192, b = tile + A; wait(at(&full[s]), i / STAGES & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 4; k++) multiply(d, descriptor(a + 32 * k), descriptor(b + 32 * k));
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (threadIdx.x % 128 == 0) arrive(at(&empty[s]));
    }
    int tid = threadIdx.x % 128, r = row + group * 64 + tid / 32 * 16 + tid % 32 / 4, col = column + tid % 4 * 2;
#pragma unroll
    for (int i = 0; i < BN / 2; i += 2) { int y = r + i / 2 % 2 * 8; if (y < rows) *(float2 *)(c + (size_t)y * columns + col + i / 4 * 8) = make_float2(d[i], d[i + 1]); }
}
extern "C" __global__ void __launch_bounds__(512) product_192x64(MAP a, MAP b, float *c, int rows, int columns, int depth) { product<64, 3, 5>(&a, &b, c, rows, columns, depth); }
extern "C" __global__ void __launch_bounds__(256) product_64x192(MAP a, MAP b, float *c, int rows, int columns, int depth) { product<192, 1, 3>(&a, &b, c, rows, columns, depth); }
extern "C" __global__ void __launch_bounds__(384) product_128x192(MAP a, MAP b, float *c, int rows, int columns, int depth) { product<192, 2, 4>(&a, &b, c, rows, columns, depth); }

static const size_t MB = 1 << 20;
static char *flush_buffer; static float *x, *y;
static PFN_cuTensorMapEncodeTiled_v12000 encode;
static CUtensorMap map_of(void *base, bool single, u64 width, u64 rows, u32 box_width, u32 box_rows, bool swizzled)
{
    CUtensorMap map; cuuint64_t sizes[2] = {width, rows}, strides[1] = {width * (single ? 4 : 2)}; cuuint32_t box[2] = {box_width, box_rows}, ones[2] = {1, 1};
    CUresult r = encode(&map, single ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, base, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r) { fprintf(stderr, "tensor map: error %d\n", (int)r); exit(1); }
    return map;
}
static void row(const char *name, size_t size, std::function<void()> run, bool right)
{
    std::vector<float> v; cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); run();
    for (int i = 0; i < 15; i++) { CK(cudaMemsetAsync(flush_buffer, i, 256 * MB)); CK(cudaEventRecord(a)); run(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float ms; CK(cudaEventElapsedTime(&ms, a, b)); v.push_back(ms * 1e3f); }
    CK(cudaGetLastError()); std::sort(v.begin(), v.end()); printf("%s,%zu,%.2f%s\n", name, size, v[7], right ? "" : ",wrong");
}
__global__ void randomise(__nv_bfloat16 *p, size_t n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { u64 z = (i + 1) * 0x9e3779b97f4a7c15ull; z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull; z ^= z >> 27; p[i] = __float2bfloat16((float)(int)(z >> 40 & 0xffff) / 32772 - 1); } }
__global__ void iota(float *p, size_t n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = (float)(i % 1021); }
template <class K> static bool check(K kernel, const CUtensorMap &a, const CUtensorMap &b, const __nv_bfloat16 *ha, const __nv_bfloat16 *hb, int n, int columns)
{
    bool right = true; for (int k = 0; k < 64; k++) { int r = k * 997 % n, c = k * 1499 % columns; float want = 0, got; for (int i = 0; i < n; i++) want += __bfloat162float(ha[(size_t)r * n + i]) * __bfloat162float(hb[(size_t)c * n + i]); CK(cudaMemcpy(&got, y + (size_t)r * columns + c, 4, cudaMemcpyDeviceToHost)); right &= fabsf(got - want) < 0.05f * sqrtf((float)n); }
    return right;
}
template <class K> static void products(const char *name, K kernel, int bn, int groups, int stages, int n)
{
    int shared = stages * (groups * 8192 + bn * 128) + 1024, columns = n / bn * bn; CK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    __nv_bfloat16 *a = (__nv_bfloat16 *)x, *b = a + (size_t)n * n; randomise<<<1056, 256>>>(a, 2 * (size_t)n * n); std::vector<__nv_bfloat16> h(2 * (size_t)n * n); CK(cudaMemcpy(h.data(), a, h.size() * 2, cudaMemcpyDeviceToHost));
    CUtensorMap ma = map_of(a, false, n, n, 64, 64, true), mb = map_of(b, false, n, n, 64, bn, true); dim3 grid(columns / bn, (n + groups * 64 - 1) / (groups * 64));
    auto run = [&] { kernel<<<grid, 128 + 128 * groups, shared>>>(ma, mb, y, n, columns, n); }; run(); CK(cudaDeviceSynchronize());
    row(name, n, run, check(kernel, ma, mb, h.data(), h.data() + (size_t)n * n, n, columns));
}
int main()
{
    cudaDriverEntryPointQueryResult found; void *entry; CK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found)); encode = (PFN_cuTensorMapEncodeTiled_v12000)entry;
    cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0)); printf("# %s: tests/kernels/rings.cu\nkernel,size,us\n", p.name);
    CK(cudaMalloc(&flush_buffer, 256 * MB)); CK(cudaMalloc(&x, 512 * MB)); CK(cudaMalloc(&y, 512 * MB));
    for (int n : {1024, 2048, 4096, 8192}) {
        iota<<<1056, 256>>>(x, (size_t)n * n); CUtensorMap in = map_of(x, true, n, n, 32, 32, true), out = map_of(y, true, n, n, 32, 32, true), box = map_of(x, true, n, n, 72, 34, false); std::vector<float> h((size_t)n * n);
        turn_tile<<<dim3(n / 32, n / 32), 256>>>(in, out); CK(cudaMemcpy(h.data(), y, h.size() * 4, cudaMemcpyDeviceToHost)); bool right = true; for (size_t r = 0; r < (size_t)n; r += 17) for (size_t c = 0; c < (size_t)n; c++) right &= h[c * n + r] == (float)((r * n + c) % 1021);
        row("turn_tile", n, [&] { turn_tile<<<dim3(n / 32, n / 32), 256>>>(in, out); }, right);
        int tiles = n / 64 * (n / 32), blocks = std::min(tiles, 132 * 6); mean_box<<<blocks, 256>>>(box, y, n, tiles); CK(cudaMemcpy(h.data(), y, h.size() * 4, cudaMemcpyDeviceToHost)); right = true;
        for (size_t r = 1; r + 1 < (size_t)n; r += 31) for (size_t c = 1; c + 1 < (size_t)n; c++) { float v = 0; for (int i = -1; i < 2; i++) for (int j = -1; j < 2; j++) v += (float)(((r + i) * n + c + j) % 1021); right &= fabsf(v / 9 - h[r * n + c]) < 0.01f; }
        row("mean_box", n, [&] { mean_box<<<blocks, 256>>>(box, y, n, tiles); }, right);
        CK(cudaMemset(y, 0, (size_t)n * n * 4)); int pieces = n * n / 2048; blocks = std::min(pieces, 132 * 4); CK(cudaFuncSetAttribute(scale_ring, cudaFuncAttributeMaxDynamicSharedMemorySize, 3 * 16384)); scale_ring<<<blocks, 288, 3 * 16384>>>(x, y, pieces); CK(cudaMemcpy(h.data(), y, h.size() * 4, cudaMemcpyDeviceToHost)); right = true; for (size_t i = 0; i < h.size(); i++) right &= h[i] == 2 * (float)(i % 1021);
        row("scale_ring", n, [&] { scale_ring<<<blocks, 288, 3 * 16384>>>(x, y, pieces); }, right);
        if (n < 8192) { products("product_192x64", product_192x64, 64, 3, 5, n); products("product_64x192", product_64x192, 192, 1, 3, n); products("product_128x192", product_128x192, 192, 2, 4, n); }
    }
}
