// lesson 19; device sim,gpu; nvcc,clang; want: full; tries: the consumers split the tile by columns: each has all 128 rows and 128 columns, as two accumulators of 64 x 128, and reads its own half of b; stage and parity are one counter
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(384, 1, 256, 128, 196672)

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void ptx_barrier_init(unsigned long long *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
}
__device__ __forceinline__ void ptx_barriers_visible() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void ptx_arrive(unsigned long long *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ __forceinline__ void ptx_arrive_expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ bool ptx_over(unsigned long long *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
    return over;
}
__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
    while (!ptx_over(bar, parity))
        ;
}
// 64 rows of 64 elements, 8192 bytes, swizzled: chunk q of row r at q ^ r % 8.
__device__ __forceinline__ void ptx_copy_box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

// Rows of 128 bytes with the 128-byte swizzle; 1024 bytes from eight rows to the next eight.
__device__ __forceinline__ unsigned long long descriptor(const void *tile)
{
    return (at(tile) >> 4 & 0x3fff) | 64ull << 32 | 1ull << 62;
}

__device__ __forceinline__ void ptx_products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void ptx_products_close() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT>
__device__ __forceinline__ void ptx_products_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(LEFT) : "memory"); }

// d = or += (64 x 16 of a) (128 x 16 of b, transposed), by the four warps of a group; under way when it returns.
__device__ __forceinline__ void ptx_multiply(float (&d)[64], unsigned long long a, unsigned long long b, bool add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %66, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
                 "}, %64, %65, p, 1, 1, 0, 0;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
                   "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
                   "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
                   "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
                   "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
                 : "l"(a), "l"(b), "r"((unsigned)add) : "memory");
}

// A warp group's 64 x 128 sums: lane l of warp w has rows 16 w + l / 4 and 8 below, of every eight columns two neighbours.
__device__ __forceinline__ void store(float *c, const float (&sum)[64], int row0, int column0, int m, int n)
{
    const int t = threadIdx.x % 128, row = row0 + t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
#pragma unroll
    for (int i = 0; i < 32; i++) {
        const int y = row + i % 2 * 8, x = column + i / 2 * 8;
        float *to = c + (size_t)y * n + x;
        if (y < m && n % 2 == 0) {
            if (x < n)
                *(float2 *)to = make_float2(sum[i * 2], sum[i * 2 + 1]);
        } else if (y < m) {
            if (x < n)
                to[0] = sum[i * 2];
            if (x + 1 < n)
                to[1] = sum[i * 2 + 1];
        }
    }
}

template <int N>
__device__ __forceinline__ void ptx_fewer_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(N)); }
template <int N>
__device__ __forceinline__ void ptx_more_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(N)); }

constexpr unsigned STAGES = 4, A = 128 * 64, B = 256 * 64, BYTES = (A + B) * 2;

// Counts steps; the stage is in its low two bits, the parity of its phase is the next one.
struct Turn {
    unsigned step = 0;
    __device__ unsigned stage() const { return step & (STAGES - 1); }
    __device__ unsigned parity() const { return step / STAGES & 1; }
};

__global__ void __launch_bounds__(384)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) __nv_bfloat16 tiles[];
    __nv_bfloat16 *const a_tile = tiles, *const b_tile = tiles + STAGES * A;
    unsigned long long *const full = (unsigned long long *)(b_tile + STAGES * B), *const empty = full + STAGES;

    const int group = threadIdx.x / 128, row0 = blockIdx.y * 128, column0 = blockIdx.x * 256;
    const unsigned steps = (k + 63) / 64;

    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            ptx_barrier_init(full + s, 1);
            ptx_barrier_init(empty + s, 2);
        }
        ptx_barriers_visible();
    }
    __syncthreads();

    if (group == 2) {  // the producer comes last
        ptx_fewer_registers<40>();
        if (threadIdx.x % 128 == 0)
            for (Turn turn; turn.step < steps; turn.step++) {
                const unsigned s = turn.stage();
                wait(empty + s, turn.parity() ^ 1);  // in the first round at once
                ptx_arrive_expect(full + s, BYTES);
                for (int j = 0; j < 2; j++)
                    ptx_copy_box(a_tile + s * A + j * 4096, &a_map, turn.step * 64, row0 + j * 64, full + s);
                for (int j = 0; j < 4; j++)
                    ptx_copy_box(b_tile + s * B + j * 4096, &b_map, turn.step * 64, column0 + j * 64, full + s);
            }
        return;
    }

    ptx_more_registers<232>();
    float upper[64], lower[64];
    for (Turn turn; turn.step < steps; turn.step++) {
        const unsigned s = turn.stage();
        wait(full + s, turn.parity());
        const __nv_bfloat16 *x = a_tile + s * A, *y = b_tile + s * B + group * (128 * 64);
        ptx_products_begin();
#pragma unroll
        for (int j = 0; j < 4; j++) {
            ptx_multiply(upper, descriptor(x + j * 16), descriptor(y + j * 16), turn.step + j > 0);
            ptx_multiply(lower, descriptor(x + 4096 + j * 16), descriptor(y + j * 16), turn.step + j > 0);
        }
        ptx_products_close();
        ptx_products_wait<1>();
        if (turn.step > 0 && threadIdx.x % 128 == 0)
            ptx_arrive(empty + (turn.step - 1) % STAGES);
    }
    ptx_products_wait<0>();
    store(c, upper, row0, column0 + group * 128, m, n);
    store(c, lower, row0 + 64, column0 + group * 128, m, n);
}
