// Microbenchmarks of bulk and tensor copies, mbarriers and their overlap with wgmma, one mechanism at a time. CSV rows on
// stdout: group,name,parameter,value,unit.
// nvcc -O3 -std=c++17 -arch=sm_90a -o bulk bulk.cu && ./bulk > bulk.csv
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)
#define MAP const __grid_constant__ CUtensorMap
typedef unsigned u32;
typedef unsigned long long u64;
constexpr int RUNS = 17, PITCH = 8192, SHARED = 200 * 1024, BARS = 1024; // barriers first, then tiles

__device__ u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(u32 bar, u32 count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory"); }
__device__ void inited() { asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory"); }
__device__ void expect(u32 bar, u32 bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory"); }
__device__ void arrive(u32 bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory"); }
__device__ void arrive_at(u32 bar, u32 rank) { asm volatile("{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]; }" ::"r"(bar), "r"(rank) : "memory"); }
__device__ bool try_wait(u32 bar, u32 parity) { u32 ok; asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(bar), "r"(parity) : "memory"); return ok; }
__device__ bool test_wait(u32 bar, u32 parity) { u32 ok; asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(bar), "r"(parity) : "memory"); return ok; }
__device__ void wait(u32 bar, u32 parity) { while (!try_wait(bar, parity)) {} }
__device__ void load1(u32 to, const void *from, u32 bytes, u32 bar) { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory"); }
__device__ void load2(u32 to, const CUtensorMap *map, int x, int y, u32 bar) { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory"); }
__device__ void load2m(u32 to, const CUtensorMap *map, int x, int y, u32 bar, uint16_t mask) { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(bar), "h"(mask) : "memory"); }
__device__ void load3(u32 to, const CUtensorMap *map, int x, int y, int z, u32 bar) { asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(z), "r"(bar) : "memory"); }
__device__ void store1(void *to, u32 from, u32 bytes) { asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(to), "r"(from), "r"(bytes) : "memory"); }
__device__ void add1(void *to, u32 from, u32 bytes) { asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(to), "r"(from), "r"(bytes) : "memory"); }
__device__ void store2(const CUtensorMap *map, int x, int y, u32 from) { asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3]; cp.async.bulk.commit_group;" ::"l"(map), "r"(x), "r"(y), "r"(from) : "memory"); }
__device__ void add2(const CUtensorMap *map, int x, int y, u32 from) { asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3]; cp.async.bulk.commit_group;" ::"l"(map), "r"(x), "r"(y), "r"(from) : "memory"); }
template <int N> __device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory"); }
template <int N> __device__ void wait_done() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory"); }
__device__ u64 nanoseconds() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

// What is copied: `bytes` at a time, one after another (rows 0), or boxes of `rows` rows of `width` bytes, `across` of them side by side.
struct shape { u32 bytes, rows, width, across; u64 places; };
enum kind { LOAD1, LOAD2, LOAD3, STORE1, STORE2, ADD1, ADD2 };
static const char *const kinds[] = {"1-D copy", "tensor copy", "3-D tensor copy", "1-D store", "tensor store", "1-D sum", "tensor sum"};
__device__ u64 place_of(const shape &s, u64 i) { i %= s.places; return s.rows ? i / s.across * s.rows * PITCH + i % s.across * s.width : i * s.bytes; }
struct walk { int x, y; char *at; u64 left; }; // where the next one is, and how many there are until it starts anew
template <kind K> __device__ walk walk_from(const shape &s, char *data, u64 i)
{
    i %= s.places; const int elements = K == ADD2 ? 4 : 2;
    return {s.rows ? (int)(i % s.across * s.width / elements) : 0, s.rows ? (int)(i / s.across * s.rows) : 0, data + i * s.bytes, s.places - i};
}
template <kind K> __device__ void go_on(const shape &s, char *data, walk &w)
{
    const int elements = K == ADD2 ? 4 : 2; bool anew = --w.left == 0;
    if (s.rows) { w.x += s.width / elements; if (w.x == (int)(s.across * s.width / elements)) { w.x = 0; w.y += s.rows; } if (anew) w.x = w.y = 0; }
    else w.at = anew ? data : w.at + s.bytes;
    if (anew) w.left = s.places;
}
template <kind K> __device__ void copy(u32 bytes, const CUtensorMap *map, const walk &w, u32 tile, u32 bar)
{
    if (K == LOAD1) load1(tile, w.at, bytes, bar);
    if (K == LOAD2) load2(tile, map, w.x, w.y, bar);
    if (K == LOAD3) load3(tile, map, w.x, w.y % 8, w.y / 8, bar);
    if (K == STORE1) store1(w.at, tile, bytes);
    if (K == STORE2) store2(map, w.x, w.y, tile);
    if (K == ADD1) add1(w.at, tile, bytes);
    if (K == ADD2) add2(map, w.x, w.y, tile);
}

// ---- one copy at a time: cycles until its data are there; of stores, until they are read, and until they are written
template <kind K> __global__ void latency(shape s, MAP map, char *data, int warm, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bar = at(pool), tile = bar + BARS;
    init(bar, 1); inited(); u32 seen = 0;
    for (int r = 0; r < RUNS; r++) {
        u64 i = (u64)r * (s.rows ? s.across : 4096 / s.bytes + 1) + 5, from = place_of(s, i);
        for (u32 row = 0; warm && row < (s.rows ? s.rows : 1); row++) for (u32 b = 0; b < (s.rows ? s.width : s.bytes); b += 32) seen += __ldcg((const u32 *)(data + from + (u64)row * PITCH + b));
        if (seen == 12345) out[0] = 1;
        walk w = walk_from<K>(s, data, i);
        __syncthreads(); long long t0 = clock64(), t1, t2 = 0; if (K <= LOAD3) expect(bar, s.bytes); copy<K>(s.bytes, &map, w, tile, bar); long long t3 = clock64();
        if (K <= LOAD3) { wait(bar, r & 1); t1 = clock64(); } else { wait_read<0>(); t1 = clock64(); wait_done<0>(); t2 = clock64(); }
        out[3 * r] = (int)(t1 - t0); out[3 * r + 1] = (int)(t2 - t0); out[3 * r + 2] = (int)(t3 - t0);
        for (long long t = clock64(); clock64() - t < 2000;) {}
    }
}

// ---- a stream of copies, `flight` of them on their way: cycles from the first to the end of the last
template <kind K> __global__ void stream(shape s, MAP map, char *data, int n, int flight, int apart, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bars = at(pool), tiles = bars + BARS, stride = (s.bytes + 1023) / 1024 * 1024;
    for (int i = 0; i < flight; i++) init(bars + 8 * i, 1);
    inited(); walk w = walk_from<K>(s, data, apart ? (u64)blockIdx.x * n : blockIdx.x * 7); long long t0 = clock64();
    for (int i = 0, stage = 0, round = 0; i < n + flight; i++, stage = stage + 1 == flight ? 0 : stage + 1, round += stage == 0) {
        if (K <= LOAD3 && i >= flight) wait(bars + 8 * stage, (round - 1) & 1);
        if (K > LOAD3) { if (flight == 1) wait_read<0>(); else if (flight == 2) wait_read<1>(); else if (flight == 4) wait_read<3>(); else wait_read<7>(); }
        if (i >= n) continue;
        if (K <= LOAD3) expect(bars + 8 * stage, s.bytes);
        copy<K>(s.bytes, &map, w, tiles + stage * stride, bars + 8 * stage); go_on<K>(s, data, w);
    }
    if (K > LOAD3) wait_done<0>();
    out[blockIdx.x] = (int)(clock64() - t0);
}
// Eight copies for each wait, four waits under way: small ones as fast as one thread issues them.
template <kind K> __global__ void burst(shape s, MAP map, char *data, int n, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bars = at(pool), tiles = bars + BARS, stride = (s.bytes + 127) / 128 * 128;
    for (int i = 0; i < 4; i++) init(bars + 8 * i, 1);
    inited(); walk w = walk_from<K>(s, data, blockIdx.x * 7); long long t0 = clock64();
    for (int i = 0; i < n + 4; i++) {
        int stage = i & 3; if (K <= LOAD3 && i >= 4) wait(bars + 8 * stage, (i / 4 - 1) & 1);
        if (i >= n) continue;
        if (K > LOAD3) wait_read<24>(); else expect(bars + 8 * stage, 8 * s.bytes);
        u32 tile = tiles + stage * 8 * stride;
#pragma unroll
        for (int k = 0; k < 8; k++) { copy<K>(s.bytes, &map, w, tile + k * stride, bars + 8 * stage); go_on<K>(s, data, w); }
    }
    if (K > LOAD3) wait_done<0>();
    out[blockIdx.x] = (int)(clock64() - t0);
}

// The same by clusters: each block brings its part of a box to all. Boxes of `rows` rows, `rows` / cluster from each.
__global__ void spread(shape s, MAP map, int n, int flight, int cluster, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bars = at(pool), empties = bars + 512, tiles = bars + BARS, stride = (s.bytes + 1023) / 1024 * 1024, rank = blockIdx.x % cluster;
    for (int i = 0; i < flight; i++) { init(bars + 8 * i, 1); init(empties + 8 * i, cluster); }
    inited(); asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    walk w = walk_from<LOAD2>(s, NULL, (u64)(blockIdx.x / cluster) * 7); u32 part = s.bytes / cluster, rows = s.rows / cluster; uint16_t all = (uint16_t)((1 << cluster) - 1); long long t0 = clock64();
    for (int i = 0, stage = 0, round = 0; i < n + flight; i++, stage = stage + 1 == flight ? 0 : stage + 1, round += stage == 0) {
        u32 bar = bars + 8 * stage;
        if (i >= flight) { wait(bar, (round - 1) & 1); for (int c = 0; c < cluster; c++) arrive_at(empties + 8 * stage, c); wait(empties + 8 * stage, (round - 1) & 1); }
        if (i >= n) continue;
        expect(bar, s.bytes); load2m(tiles + stage * stride + rank * part, &map, w.x, w.y + rank * rows, bar, all); go_on<LOAD2>(s, NULL, w);
    }
    out[blockIdx.x] = (int)(clock64() - t0);
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

__global__ void prefetched(const char *data, u32 bytes, int wait_for, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bar = at(pool); init(bar, 1); inited();
    for (int r = 0; r < RUNS; r++) {
        const char *from = data + (u64)r * 65536; long long t0 = clock64();
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
        long long t1 = clock64(); while (clock64() - t0 < wait_for) {}
        long long t2 = clock64(); expect(bar, bytes); load1(bar + BARS, from, bytes, bar); wait(bar, r & 1); long long t3 = clock64();
        out[3 * r] = (int)(t3 - t2); out[3 * r + 1] = (int)(t1 - t0);
    }
}

// ---- mbarriers: warp 0 arrives, the others wait
enum waiter { TRY, TEST, ONE_LANE };
template <waiter W> __global__ void wakes(int delay, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bar = at(pool); __shared__ long long arrived;
    if (threadIdx.x == 0) { init(bar, 1); inited(); }
    for (int r = 0; r < RUNS; r++) {
        __syncthreads();
        if (threadIdx.x / 32 == 0) { if (threadIdx.x == 0) { for (long long t = clock64(); clock64() - t < delay;) {} arrived = clock64(); arrive(bar); long long t = clock64(); out[3 * r + 2] = (int)(t - arrived); } __syncthreads(); continue; }
        int n = 1; long long t = 0;
        if (W == TRY) { while (!try_wait(bar, r & 1)) n++; t = clock64(); }
        if (W == TEST) { while (!test_wait(bar, r & 1)) n++; t = clock64(); }
        if (W == ONE_LANE) { if (threadIdx.x % 32 == 0) while (!try_wait(bar, r & 1)) n++; __syncwarp(); t = clock64(); }
        __syncthreads();
        if (threadIdx.x == blockDim.x - 32) { out[3 * r] = (int)(t - arrived); out[3 * r + 1] = n; }
    }
}
__global__ void alone(int *out) // arrive, expect_tx and a wait that need not wait, one after another
{
    extern __shared__ __align__(1024) char pool[]; u32 bar = at(pool); init(bar, 1); inited();
    for (int r = 0; r < RUNS; r++) {
        long long t0 = clock64(); arrive(bar); wait(bar, r & 1); long long t1 = clock64(); bool ok = try_wait(bar, r & 1); if (!ok) out[0] = 1; long long t2 = clock64();
        out[3 * r] = (int)(t1 - t0); out[3 * r + 1] = (int)(t2 - t1);
    }
    long long t0 = clock64();
    for (int i = 0; i < 256; i++) wait(bar, 0);
    out[2] = (int)(clock64() - t0) / 256; t0 = clock64();
    for (int i = 0; i < 256; i++) arrive(bar);
    out[5] = (int)(clock64() - t0) / 256;
}
// Warps that compute beside others that wait: cycles of the computing ones; and how often the waiting ones asked.
template <waiter W> __global__ void beside(int waiting, int n, float *sink, int *out)
{
    extern __shared__ __align__(1024) char pool[]; u32 bar = at(pool); 
    if (threadIdx.x == 0) { init(bar, 4); inited(); }
    __syncthreads();
    if (threadIdx.x / 32 < 4) {
        float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b = threadIdx.x * 1e-9f; long long t0 = clock64();
        for (int i = 0; i < n; i++)
#pragma unroll
            for (int k = 0; k < 64; k++) a[k % 8] = __fmaf_rn(a[k % 8], 0.5f, b);
        long long t = clock64() - t0; if (threadIdx.x % 32 == 0) arrive(bar);
        sink[threadIdx.x] = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7]; if (threadIdx.x == 0) out[0] = (int)t;
    } else if ((int)threadIdx.x / 32 < 4 + waiting) {
        int c = 1;
        if (W == TRY) while (!try_wait(bar, 0)) c++;
        if (W == TEST) while (!test_wait(bar, 0)) c++;
        if (W == ONE_LANE) { if (threadIdx.x % 32 == 0) while (!try_wait(bar, 0)) c++; __syncwarp(); }
        if (threadIdx.x == 128) out[1] = c;
    }
}

// Loads from shared memory by eight warps beside a stream of copies: cycles for each load, bytes copied a cycle.
template <kind K> __global__ void contend(shape s, MAP map, char *data, int flight, int n, float *sink, int *out)
{
    extern __shared__ __align__(1024) char pool[]; volatile int *done = (volatile int *)(pool + 512); u32 bars = at(pool), tiles = bars + BARS, stride = (s.bytes + 1023) / 1024 * 1024;
    if (threadIdx.x == 0) { for (int i = 0; i < flight; i++) init(bars + 8 * i, 1); inited(); *done = 0; }
    __syncthreads();
    if (threadIdx.x >= 256) {
        int i = 0; walk w = walk_from<K>(s, data, 0); long long t0 = clock64();
        for (int stage = 0, round = 0; flight && threadIdx.x == 256; i++, stage = stage + 1 == flight ? 0 : stage + 1, round += stage == 0) {
            if (i >= flight) wait(bars + 8 * stage, (round - 1) & 1);
            if (*done == 8) { for (int k = 1; k < flight; k++) { stage = stage + 1 == flight ? 0 : stage + 1; round += stage == 0; wait(bars + 8 * stage, (round - 1) & 1); } break; }
            expect(bars + 8 * stage, s.bytes); copy<K>(s.bytes, &map, w, tiles + stage * stride, bars + 8 * stage); go_on<K>(s, data, w);
        }
        if (threadIdx.x == 256) { out[1] = i; out[2] = (int)(clock64() - t0); }
        return;
    }
    float v = 0; u32 from = tiles + threadIdx.x * 4; long long t0 = clock64();
    for (int i = 0; i < n; i++) {
        float x[8];
#pragma unroll
        for (int k = 0; k < 8; k++) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(x[k]) : "r"(from + k * 1024));
#pragma unroll
        for (int k = 0; k < 8; k++) v += x[k];
    }
    if (threadIdx.x == 0) out[0] = (int)(clock64() - t0);
    sink[threadIdx.x] = v; if (threadIdx.x % 32 == 0) atomicAdd((int *)(pool + 512), 1);
}

// ---- overlap: one warp brings tiles of A (64 rows a consumer) and B (BN rows), 64 columns of bfloat16, through a ring; warp groups multiply
#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define D32(i) D8(i), D8(i + 8), D8(i + 16), D8(i + 24)
__device__ void multiply(float (&d)[32], u64 a, u64 b)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0; }" : D32(0) : "l"(a), "l"(b));
}
__device__ void multiply(float (&d)[64], u64 a, u64 b)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, p, 1, 1, 0, 0; }" : D32(0), D32(32) : "l"(a), "l"(b));
}
__device__ void multiply(float (&d)[128], u64 a, u64 b)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1, 0, 0; }" : D32(0), D32(32), D32(64), D32(96) : "l"(a), "l"(b));
}
__device__ u64 descriptor(u32 tile) { return (u64)((tile & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62; }

enum what { BOTH, COPIES_ONLY, PRODUCTS_ONLY };
template <int BN, int GROUPS, int STAGES, int UNDER_WAY, what WHAT>
__global__ void __launch_bounds__(128 + 128 * GROUPS) ring(MAP ma, MAP mb, float *c, int columns, int steps, int *out)
{
    extern __shared__ __align__(1024) char pool[]; constexpr u32 A = GROUPS * 8192, B = BN * 128; u32 full = at(pool), empty = full + 64, tiles = full + BARS; volatile long long &begin = *(volatile long long *)(pool + 256); volatile u64 &begin_ns = *(volatile u64 *)(pool + 264);
    int group = threadIdx.x / 128, wide = columns / BN, row = blockIdx.x / wide * GROUPS * 64, column = blockIdx.x % wide * BN;
    if (threadIdx.x == 0) { for (int i = 0; i < STAGES; i++) { init(full + 8 * i, 1); init(empty + 8 * i, GROUPS); } inited(); begin = clock64(); begin_ns = nanoseconds(); }
    __syncthreads();
    if (group == 0) {
        for (int i = 0, stage = 0, round = 0; threadIdx.x == 0 && i < steps; i++, stage = stage + 1 == STAGES ? 0 : stage + 1, round += stage == 0) {
            wait(empty + 8 * stage, (round + 1) & 1);
            if (WHAT == PRODUCTS_ONLY) { arrive(full + 8 * stage); continue; }
            expect(full + 8 * stage, A + B); u32 tile = tiles + stage * (A + B);
            load2(tile, &ma, i * 64 % 4096, row, full + 8 * stage); load2(tile + A, &mb, i * 64 % 4096, column, full + 8 * stage);
        }
        return;
    }
    float d[BN / 2] = {};
    for (int i = 0, stage = 0, round = 0, last = 0; i < steps; i++, last = stage, stage = stage + 1 == STAGES ? 0 : stage + 1, round += stage == 0) {
        wait(full + 8 * stage, round & 1);
        if (WHAT == COPIES_ONLY) { if (threadIdx.x % 128 == 0) arrive(empty + 8 * stage); continue; }
        u32 tile = tiles + stage * (A + B), a = tile + (group - 1) * 8192, b = tile + A;
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 4; k++) multiply(d, descriptor(a + 32 * k), descriptor(b + 32 * k));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (UNDER_WAY) asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory"); else asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (threadIdx.x % 128 == 0 && (!UNDER_WAY || i > 0)) arrive(empty + 8 * (UNDER_WAY ? last : stage));
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x == 128) { out[2 * blockIdx.x] = (int)(clock64() - begin); out[2 * blockIdx.x + 1] = (int)(nanoseconds() - begin_ns); }
    if (!c) { for (int i = 0; i < BN / 2; i++) if (d[i] == 1e30f) out[0] = 0; return; }
    int tid = threadIdx.x % 128, r = row + (group - 1) * 64 + tid / 32 * 16 + tid % 32 / 4, col = column + tid % 4 * 2;
#pragma unroll
    for (int i = 0; i < BN / 2; i += 2) *(float2 *)(c + (size_t)(r + i / 2 % 2 * 8) * columns + col + i / 4 * 8) = make_float2(d[i], d[i + 1]);
}

// ---- host
static const size_t MB = 1 << 20, DATA = 2048 * MB;
static char *data, *flush_buffer; static int *out; static float *sink; static int sms;
static PFN_cuTensorMapEncodeTiled_v12000 encode;
static CUtensorMap map_of(u32 width, u32 rows, int swizzle, u64 total = 65536, u64 pitch = PITCH, bool single = false, size_t from = 0)
{
    CUtensorMap map; u32 each = single ? 4 : 2; cuuint64_t sizes[2] = {pitch / each, total}, strides[1] = {pitch}; cuuint32_t box[2] = {width / each, rows}, ones[2] = {1, 1};
    CUtensorMapSwizzle s = swizzle == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE;
    CUresult r = encode(&map, single ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data + from, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, s, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r) { fprintf(stderr, "map of %u bytes by %u rows, swizzle %d: error %d\n", width, rows, swizzle, (int)r); exit(1); }
    return map;
}
static CUtensorMap map3_of(u32 width, u32 rows, u32 planes)
{
    CUtensorMap map; cuuint64_t sizes[3] = {PITCH / 2, 8, 8192}, strides[2] = {PITCH, 8 * PITCH}; cuuint32_t box[3] = {width / 2, rows, planes}, ones[3] = {1, 1, 1};
    if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, data, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) exit(1);
    return map;
}
static void flush() { CK(cudaMemsetAsync(flush_buffer, 1, 256 * MB)); }
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
static double median_of(int which) // of the runs in out but the first two
{
    int h[3 * RUNS]; std::vector<double> v; CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int r = 2; r < RUNS; r++) v.push_back(h[3 * r + which]);
    return median(v);
}
template <class F> static void big(F *f) { CK(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED)); }
static const CUtensorMap none = {};
static const char *box_name(u32 width, u32 rows, int swizzle) { static char s[64]; if (swizzle) snprintf(s, sizeof s, "%u B by %u rows swizzle %d", width, rows, swizzle); else snprintf(s, sizeof s, "%u B by %u rows", width, rows); return s; }

template <kind K> static void one(shape s, const CUtensorMap &map, const char *what)
{
    big(latency<K>);
    for (int warm = 1; warm >= 0; warm--) {
        if (!warm) flush();
        latency<K><<<1, 1, SHARED>>>(s, map, data, warm, out); const char *where = warm ? "L2" : "DRAM";
        if (K <= LOAD3) printf("latency,%s of %s from %s,until there,%.0f,cycles\n", kinds[K], what, where, median_of(0));
        else { printf("latency,%s of %s to %s,until read,%.0f,cycles\n", kinds[K], what, where, median_of(0)); printf("latency,%s of %s to %s,until written,%.0f,cycles\n", kinds[K], what, where, median_of(1)); }
        if (warm) printf("latency,%s of %s,issue,%.0f,cycles\n", kinds[K], what, median_of(2));
    }
}
// Cycles for each copy: the median block's, of 15 launches. apart: each block has its own places, for DRAM.
template <kind K> static double many(shape s, const CUtensorMap &map, int blocks, int n, int flight, bool apart, bool cold)
{
    big(stream<K>); std::vector<double> v; std::vector<int> h(blocks);
    for (int r = 0; r < 16; r++) {
        if (cold) flush();
        stream<K><<<blocks, 1, SHARED>>>(s, map, data, n, flight, apart, out); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), out, blocks * 4, cudaMemcpyDeviceToHost)); std::sort(h.begin(), h.end()); if (r) v.push_back(h[blocks / 2] / (double)n);
    }
    return median(v);
}
template <kind K> static void bursts(shape s, const CUtensorMap &map, const char *what)
{
    if ((s.bytes + 127) / 128 * 128 * 32 + BARS > SHARED) return;
    big(burst<K>);
    for (int blocks : {1, sms}) {
        std::vector<double> v; std::vector<int> h(blocks);
        for (int r = 0; r < 16; r++) { burst<K><<<blocks, 1, SHARED>>>(s, map, data, 128, out); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), out, blocks * 4, cudaMemcpyDeviceToHost)); std::sort(h.begin(), h.end()); if (r) v.push_back(h[blocks / 2] / 1024.0); }
        printf("burst,%s of %s,%s,%.1f,cycles each\n", kinds[K], what, blocks == 1 ? "one SM" : "all SMs", median(v));
    }
}
template <kind K> static void rates(shape s, const CUtensorMap &map, const char *what, std::vector<int> flights, bool dram, u64 all_places)
{
    for (int flight : flights) {
        if ((s.bytes + 1023) / 1024 * 1024 * flight + BARS > SHARED) continue;
        int n = s.bytes < 4096 ? 512 : 256;
        printf("rate,%s of %s,one SM %d under way,%.1f,cycles each\n", kinds[K], what, flight, many<K>(s, map, 1, n, flight, false, false));
        printf("rate,%s of %s,all SMs %d under way,%.1f,cycles each\n", kinds[K], what, flight, many<K>(s, map, sms, n, flight, false, false));
        shape cold = s; cold.places = all_places;
        if (dram && (u64)n * sms <= all_places) printf("rate,%s of %s,all SMs from DRAM %d under way,%.1f,cycles each\n", kinds[K], what, flight, many<K>(cold, map, sms, n, flight, true, true));
    }
}
static shape box(u32 width, u32 rows, u64 total = 2048) { return {width * rows, rows, width, PITCH / width, PITCH / width * (total / rows)}; }
template <int BN, int GROUPS, int STAGES, int UNDER_WAY, what WHAT> static void ring_rows()
{
    auto f = ring<BN, GROUPS, STAGES, UNDER_WAY, WHAT>; big(f); static const char *const whats[] = {"copies and products", "copies alone", "products alone"};
    CUtensorMap ma = map_of(128, 64 * GROUPS, 128, 2048), mb = map_of(128, BN, 128, 2048, PITCH, false, 64 * MB);
    for (int blocks : {1, sms}) {
        double cycles[2], ghz = 0;
        for (int half = 0; half < 2; half++) {
            std::vector<double> v, g; std::vector<int> h(2 * blocks);
            for (int r = 0; r < 16; r++) {
                f<<<blocks, 128 + 128 * GROUPS, SHARED>>>(ma, mb, NULL, 2048, 128 << half, out); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), out, 8 * blocks, cudaMemcpyDeviceToHost)); std::vector<int> c; for (int i = 0; i < blocks; i++) c.push_back(h[2 * i]); std::sort(c.begin(), c.end()); if (r) { v.push_back(c[blocks / 2]); g.push_back(h[0] / (double)h[1]); }
            }
            cycles[half] = median(v); ghz = median(g);
        }
        printf("ring,%d by %d with %d stages%s,%s %s,%.1f,cycles each step\n", 64 * GROUPS, BN, STAGES, UNDER_WAY ? " one group under way" : "", blocks == 1 ? "one SM" : "all SMs", whats[WHAT], (cycles[1] - cycles[0]) / 128);
        printf("ring,%d by %d with %d stages%s,%s %s first 128 steps,%.0f,cycles at %.2f GHz\n", 64 * GROUPS, BN, STAGES, UNDER_WAY ? " one group under way" : "", blocks == 1 ? "one SM" : "all SMs", whats[WHAT], cycles[0], ghz);
    }
}
template <int BN, int GROUPS, int STAGES, int UNDER_WAY> static void product(int size)
{
    auto f = ring<BN, GROUPS, STAGES, UNDER_WAY, BOTH>; big(f); CUtensorMap ma = map_of(128, 64 * GROUPS, 128, size, size * 2), mb = map_of(128, BN, 128, size, size * 2, false, 64 * MB); std::vector<double> v, g; cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y)); int h[2];
    for (int r = 0; r < 17; r++) {
        flush(); CK(cudaEventRecord(x)); f<<<size / BN * (size / 64 / GROUPS), 128 + 128 * GROUPS, BARS + STAGES * (8192 * GROUPS + 128 * BN)>>>(ma, mb, sink, size, size / 64, out); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); CK(cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost)); if (r > 1) { v.push_back(ms * 1e3); g.push_back(h[0] / (double)h[1]); }
    }
    printf("product,%d by %d with %d stages%s,%d,%.2f,us at %.2f GHz\n", 64 * GROUPS, BN, STAGES, UNDER_WAY ? " one group under way" : "", size, median(v), median(g));
}
template <waiter W> static void barriers(const char *name)
{
    for (int warps : {2, 5, 9}) for (int delay : {200, 2000, 20000, 200000}) { wakes<W><<<1, 32 * warps, SHARED>>>(delay, out); printf("mbarrier,%s by %d warps after %d cycles,from arrival,%.0f,cycles\n", name, warps - 1, delay, median_of(0)); printf("mbarrier,%s by %d warps after %d cycles,asked,%.0f,times\n", name, warps - 1, delay, median_of(1)); }
    for (int waiting : {0, 1, 4, 12, 28}) { std::vector<double> v, w; for (int r = 0; r < 15; r++) { int h[2]; beside<W><<<1, 32 * (4 + waiting), SHARED>>>(waiting, 64, sink, out); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); v.push_back(h[0] / 4096.0); w.push_back(h[1]); } printf("mbarrier,%s beside,%d warps waiting,%.3f,cycles an fma\n", name, waiting, median(v)); printf("mbarrier,%s beside asked,%d warps waiting,%.0f,times\n", name, waiting, median(w)); }
}
template <kind K> static void contention(shape s, const CUtensorMap &map, const char *what)
{
    big(contend<K>);
    for (int flight : {0, 4}) {
        std::vector<double> v, w; int h[3];
        for (int r = 0; r < 16; r++) { contend<K><<<1, 288, SHARED>>>(s, map, data, flight, 1024, sink, out); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); if (r) { v.push_back(h[0] / 65536.0); w.push_back(h[1] * (double)s.bytes / h[2]); } }
        printf("contention,shared loads beside %s of %s,%d under way,%.3f,cycles a load\ncontention,%s of %s beside shared loads,%d under way,%.1f,bytes a cycle\n", kinds[K], what, flight, median(v), kinds[K], what, flight, median(w));
    }
}
__global__ void randomise(uint4 *p, size_t n) { for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { u32 x[4]; for (int k = 0; k < 4; k++) { u64 z = (i * 4 + k + 1) * 0x9e3779b97f4a7c15ull; z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull; z ^= z >> 27; x[k] = ((u32)z & 0x807f807f) | 0x3f003f00; } p[i] = make_uint4(x[0], x[1], x[2], x[3]); } }
int main()
{
    cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0)); sms = p.multiProcessorCount; int driver; CK(cudaDriverGetVersion(&driver)); cudaDriverEntryPointQueryResult found; void *entry;
    CK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found)); encode = (PFN_cuTensorMapEncodeTiled_v12000)entry;
    printf("# %s, sm_%d%d, %d SMs, driver for CUDA %d.%d, medians of 15: tests/kernels/bulk.cu\ngroup,name,parameter,value,unit\n", p.name, p.major, p.minor, sms, driver / 1000, driver % 1000 / 10);
    CK(cudaMalloc(&data, DATA)); CK(cudaMemset(data, 0, DATA)); CK(cudaMalloc(&flush_buffer, 256 * MB)); CK(cudaMalloc(&out, 1 << 20)); CK(cudaMalloc(&sink, 256 * MB));
    alone<<<1, 1, 4096>>>(out); printf("mbarrier,arrive and wait,alone,%.0f,cycles\n", median_of(0)); alone<<<1, 1, 4096>>>(out); printf("mbarrier,wait that need not wait,alone,%.0f,cycles\n", median_of(1));
    { int h[6]; CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); printf("mbarrier,waits that need not wait,in a row,%d,cycles each\nmbarrier,arrivals,in a row,%d,cycles each\n", h[2], h[5]); }
    big(wakes<TRY>); big(wakes<TEST>); big(wakes<ONE_LANE>); big(beside<TRY>); big(beside<TEST>); big(beside<ONE_LANE>);
    barriers<TRY>("try_wait"); barriers<TEST>("test_wait"); barriers<ONE_LANE>("try_wait by one lane");
    for (u32 bytes : {16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}) {
        char what[32]; snprintf(what, sizeof what, "%u B", bytes); shape s = {bytes, 0, 0, 0, 8 * MB / bytes}; u64 all = DATA / bytes;
        bursts<LOAD1>(s, none, what); bursts<STORE1>(s, none, what);
        one<LOAD1>(s, none, what); rates<LOAD1>(s, none, what, {1, 2, 4, 8, 16}, true, all); one<STORE1>(s, none, what); rates<STORE1>(s, none, what, {1, 4}, bytes >= 1024, all);
        if (bytes == 512 || bytes == 4096 || bytes == 16384) { one<ADD1>(s, none, what); rates<ADD1>(s, none, what, {4}, false, all); }
    }
    for (u32 width : {16, 32, 64, 128, 256}) for (u32 rows : {1, 8, 32, 64, 128, 256}) for (int swizzle : {0, 32, 64, 128}) {
        bool all_swizzles = rows == 64 || rows == 128;
        if (width * rows > 32768 || (swizzle && width > (u32)swizzle) || (swizzle && !all_swizzles && swizzle != (int)width) || (swizzle && width < 32)) continue;
        shape s = box(width, rows); CUtensorMap map = map_of(width, rows, swizzle); const char *what = box_name(width, rows, swizzle); u64 all = PITCH / width * (65536 / rows);
        if (s.bytes % 128 == 0 && (!swizzle || s.bytes % 1024 == 0)) { bursts<LOAD2>(s, map, what); if (swizzle == 0 || swizzle == (int)width) bursts<STORE2>(s, map, what); }
        one<LOAD2>(s, map, what); rates<LOAD2>(s, map, what, rows == 64 || rows == 128 ? std::vector<int>{1, 2, 4, 8} : std::vector<int>{1, 4}, width >= 32 && rows >= 64, all);
        if (swizzle == 0 || swizzle == (int)width) { if (rows >= 8) one<STORE2>(s, map, what); rates<STORE2>(s, map, what, {1, 4}, rows == 64, all); }
    }
    { shape s = box(128, 64); for (u64 pitch : {128, 256, 1024}) { CUtensorMap map = map_of(128, 64, 128, 65536, pitch); s.across = (u32)(pitch / 128); s.places = s.across * 256; char what[64]; snprintf(what, sizeof what, "128 B by 64 rows %llu B apart", pitch); rates<LOAD2>(s, map, what, {1, 4}, false, 0); } }
    { shape s = box(128, 64); rates<LOAD3>(s, map3_of(128, 8, 8), "128 B by 8 rows by 8", {1, 4}, false, 0); s = box(128, 64); CUtensorMap map = map_of(128, 64, 128, 65536, PITCH, true); one<ADD2>(s, map, "128 B by 64 rows"); rates<ADD2>(s, map, "128 B by 64 rows", {1, 4}, false, 0); }
    for (int cluster : {1, 2, 4}) for (u32 rows : {64, 128}) for (int flight : {1, 4}) {
        shape s = box(128, rows); CUtensorMap map = map_of(128, rows / cluster, 128); big(spread);
        for (int blocks : {cluster, sms / 4 * 4 - 4}) {
            std::vector<double> v; std::vector<int> h(blocks);
            for (int r = 0; r < 16; r++) {
                cudaLaunchConfig_t config = {}; config.gridDim = dim3(blocks); config.blockDim = dim3(1); config.dynamicSmemBytes = SHARED; cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension; a.val.clusterDim.x = cluster; a.val.clusterDim.y = a.val.clusterDim.z = 1; config.attrs = &a; config.numAttrs = 1;
                CK(cudaLaunchKernelEx(&config, spread, s, map, 256, flight, cluster, out)); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), out, 4 * blocks, cudaMemcpyDeviceToHost)); std::sort(h.begin(), h.end()); if (r) v.push_back(h[blocks / 2] / 256.0);
            }
            printf("multicast,128 B by %u rows to %d blocks,%s %d under way,%.1f,cycles each\n", rows, cluster, blocks == cluster ? "one cluster" : "all SMs", flight, median(v));
        }
    }
    big(prefetched); for (u32 bytes : {1024, 16384}) for (int after : {0, 500, 1000, 2000, 5000}) { flush(); prefetched<<<1, 1, SHARED>>>(data, bytes, after, out); printf("prefetch,1-D copy of %u B,%d cycles after prefetch,%.0f,cycles\n", bytes, after, median_of(0)); if (!after) { flush(); prefetched<<<1, 1, SHARED>>>(data, bytes, after, out); printf("prefetch,1-D of %u B,issue,%.0f,cycles\n", bytes, median_of(1)); } }
    contention<LOAD1>({16384, 0, 0, 0, 512}, none, "16384 B"); contention<LOAD2>(box(128, 128), map_of(128, 128, 128), "128 B by 128 rows swizzle 128"); contention<LOAD2>(box(128, 128), map_of(128, 128, 0), "128 B by 128 rows"); contention<LOAD2>(box(32, 256), map_of(32, 256, 0), "32 B by 256 rows");
    randomise<<<1056, 256>>>((uint4 *)data, 256 * MB / 16);
    ring_rows<64, 1, 2, 0, BOTH>(); ring_rows<64, 1, 4, 0, BOTH>(); ring_rows<64, 1, 4, 1, BOTH>(); ring_rows<64, 1, 4, 0, COPIES_ONLY>(); ring_rows<64, 1, 4, 0, PRODUCTS_ONLY>();
    ring_rows<128, 1, 2, 0, BOTH>(); ring_rows<128, 1, 4, 0, BOTH>(); ring_rows<128, 1, 4, 1, BOTH>(); ring_rows<128, 1, 4, 0, COPIES_ONLY>(); ring_rows<128, 1, 4, 0, PRODUCTS_ONLY>();
    ring_rows<128, 2, 2, 0, BOTH>(); ring_rows<128, 2, 3, 0, BOTH>(); ring_rows<128, 2, 4, 0, BOTH>(); ring_rows<128, 2, 4, 1, BOTH>(); ring_rows<128, 2, 4, 0, COPIES_ONLY>(); ring_rows<128, 2, 4, 0, PRODUCTS_ONLY>(); ring_rows<128, 2, 4, 1, PRODUCTS_ONLY>();
    ring_rows<256, 2, 2, 0, BOTH>(); ring_rows<256, 2, 3, 0, BOTH>(); ring_rows<256, 2, 4, 0, BOTH>(); ring_rows<256, 2, 4, 1, BOTH>(); ring_rows<256, 2, 4, 0, COPIES_ONLY>(); ring_rows<256, 2, 4, 0, PRODUCTS_ONLY>(); ring_rows<256, 2, 4, 1, PRODUCTS_ONLY>();
    for (int size : {1024, 2048, 4096}) { product<128, 1, 4, 0>(size); product<128, 2, 2, 0>(size); product<128, 2, 4, 0>(size); product<128, 2, 4, 1>(size); product<256, 2, 4, 0>(size); product<256, 2, 4, 1>(size); }
    CK(cudaDeviceSynchronize());
}
