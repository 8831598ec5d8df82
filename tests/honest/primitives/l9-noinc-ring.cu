// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: no barrier of the block in the loop: a ring of three stages whose `full` mbarriers count finished copies (cp.async.mbarrier.arrive.noinc) and whose `empty` ones count the warps that have read
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 128, 49232)

__device__ __forceinline__ void ptx_mbarrier_init(unsigned long long *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(count) : "memory");
}

// This thread arrives when its copies so far are done; they were counted when the barrier was made.
__device__ __forceinline__ void ptx_arrive_after_copies(unsigned long long *bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"((unsigned)__cvta_generic_to_shared(bar)) : "memory");
}

__device__ __forceinline__ void ptx_arrive(unsigned long long *bar)
{
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}"
                 :: "r"((unsigned)__cvta_generic_to_shared(bar)) : "memory");
}

__device__ __forceinline__ bool ptx_phase_over(unsigned long long *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(parity) : "memory");
    return over;
}

constexpr int STAGES = 3, DEEP = 16;

struct Ring {
    float4 a[STAGES][128][4], b[STAGES][DEEP][32];
    unsigned long long full[STAGES], empty[STAGES];
};
static_assert(sizeof(Ring) <= 49232, "LAUNCH");

struct Position {  // a stage, and the parity of its phase
    int stage = 0;
    unsigned parity = 0;
    __device__ void next()
    {
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
};

__device__ __forceinline__ void bring(float4 *to, const float *matrix, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, matrix + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, matrix + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    extern __shared__ __align__(16) Ring rings[];
    Ring &ring = rings[0];

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int ty = (warp >> 1) * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = (warp & 1) * 8 + (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;

    if (id == 0)
        for (int s = 0; s < STAGES; s++) {
            ptx_mbarrier_init(&ring.full[s], 256);
            ptx_mbarrier_init(&ring.empty[s], 8);
        }
    __syncthreads();

    // Parity 1 of a new barrier counts as over: nobody has to wait for a stage in the first round.
    Position into{0, 1}, outof{0, 0};
    auto fetch = [&](int k0) {
        while (!ptx_phase_over(&ring.empty[into.stage], into.parity))
            ;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int e = id + j * 256, r = e >> 2, q = e & 3, i = k0 + q * 4;
            bring(&ring.a[into.stage][r][q ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int e = id + j * 256, r = e >> 5, q = e & 31, i = k0 + r, column = column0 + q * 4;
            bring(&ring.b[into.stage][r][q], b, i * n + column, i < k ? n - column : 0, n % 4 == 0);
        }
        ptx_arrive_after_copies(&ring.full[into.stage]);
        into.next();
    };

    fetch(0);
    if (DEEP < k)
        fetch(DEEP);

    float sum[8][8] = {};
    for (int k0 = 0; k0 < k; k0 += DEEP) {
        // Two steps ahead: the stage that all warps have given back, or will soon, after step k0 - 16.
        if (k0 + 2 * DEEP < k)
            fetch(k0 + 2 * DEEP);
        while (!ptx_phase_over(&ring.full[outof.stage], outof.parity))
            ;
        const auto &x_tile = ring.a[outof.stage];
        const auto &y_tile = ring.b[outof.stage];
#pragma unroll
        for (int part = 0; part < 4; part++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = x_tile[p / 4 * 64 + ty * 4 + p % 4][part ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = y_tile[part * 4 + i][tx], v = y_tile[part * 4 + i][tx + 16];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] += f * y[q];
                }
            }
        }
        __syncwarp();  // all lanes have read
        if (lane == 0)
            ptx_arrive(&ring.empty[outof.stage]);
        outof.next();
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int column = column0 + h * 64 + tx * 4;
            const float *four = &sum[p][h * 4];
            if (row < m && n % 4 == 0) {
                if (column < n)
                    *(float4 *)(c + row * n + column) = make_float4(four[0], four[1], four[2], four[3]);
            } else if (row < m)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (column + q < n)
                        c[row * n + column + q] = four[q];
        }
    }
}
