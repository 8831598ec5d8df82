// lesson 9; device sim; nvcc,clang; want: pass; tries: eight warps multiply and a ninth only copies, four stages with an mbarrier for full and one for empty, no barrier of the block in the loop
LAUNCH(288, 1, 128, 128)

constexpr int STAGES = 4, DEEP = 8;  // places, steps along k

__device__ __forceinline__ unsigned smem(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void mb_init(unsigned long long *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(b)), "r"(n) : "memory"); }
__device__ __forceinline__ void mb_arrive(unsigned long long *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(b)) : "memory"); }
__device__ __forceinline__ void mb_arrive_copies(unsigned long long *b) { asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(b)) : "memory"); }
__device__ __forceinline__ void mb_wait(unsigned long long *b, int parity)
{
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(smem(b)), "r"(parity) : "memory");
}

// Four neighbours of which `have` exist; the rest becomes 0.
__device__ __forceinline__ void bring4(float4 *to, const float *from, int have, bool wide)
{
    if (wide)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(smem(to)), "l"(__cvta_generic_to_global(from)), "r"(have > 0 ? 16 : 0) : "memory");
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(smem(to) + 4 * j), "l"(__cvta_generic_to_global(j < have ? from + j : from)), "r"(j < have ? 4 : 0) : "memory");
}

__global__ void __launch_bounds__(288) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[STAGES][128][2], b_tile[STAGES][DEEP][32];
    __shared__ unsigned long long full[STAGES], empty[STAGES];

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128, steps = (k + DEEP - 1) / DEEP;

    if (threadIdx.x < STAGES) {
        mb_init(&full[threadIdx.x], 32);  // each lane of the ninth warp, once its copies are there
        mb_init(&empty[threadIdx.x], 8);  // one lane of each warp that multiplies
    }
    __syncthreads();

    if (warp == 8) {
        for (int step = 0; step < steps; step++) {
            const int s = step % STAGES, k0 = step * DEEP;
            mb_wait(&empty[s], (step / STAGES + 1) & 1);  // in the first round at once
#pragma unroll 4
            for (int j = 0; j < 8; j++) {
                const int e = j * 32 + lane, r = e / 2, i = k0 + e % 2 * 4, have = row0 + r < m ? k - i : 0;
                bring4(&a_tile[s][r][e % 2], have > 0 ? a + (size_t)(row0 + r) * k + i : a, have, k % 4 == 0);
            }
#pragma unroll 4
            for (int j = 0; j < 8; j++) {
                const int i = k0 + j, q = column0 + lane * 4, have = i < k ? n - q : 0;
                bring4(&b_tile[s][j][lane], have > 0 ? b + (size_t)i * n + q : b, have, n % 4 == 0);
            }
            mb_arrive_copies(&full[s]);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        return;
    }

    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[8][8] = {};

    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;
        mb_wait(&full[s], step / STAGES & 1);
#pragma unroll
        for (int j = 0; j < 2; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a_tile[s][p / 4 * 64 + ty * 4 + p % 4][j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = b_tile[s][j * 4 + i][tx], v = b_tile[s][j * 4 + i][tx + 16];
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
            mb_arrive(&empty[s]);
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + p / 4 * 64 + ty * 4 + p % 4;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int column = column0 + q / 4 * 64 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[(size_t)row * n + column] = sum[p][q];
        }
    }
}
