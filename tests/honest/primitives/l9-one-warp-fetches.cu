// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: warps with roles: a ninth warp does nothing but fetch by cp.async, three stages ahead at most; full and empty mbarriers lie between it and the eight that multiply
LAUNCH(288, 1, 64, 64)

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ __forceinline__ void bar_init(unsigned long long *bar, int count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SHARED(bar)), "r"(count) : "memory");
}

__device__ __forceinline__ void bar_arrive(unsigned long long *bar)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(SHARED(bar)) : "memory");
}

__device__ __forceinline__ void bar_arrive_after_copies(unsigned long long *bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(SHARED(bar)) : "memory");
}

__device__ __forceinline__ void bar_wait(unsigned long long *bar, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(SHARED(bar)), "r"(parity) : "memory");
}

// `read` of 16 bytes are read, the others become 0.
__device__ __forceinline__ void copy16(void *to, const float *from, int read)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(SHARED(to)), "l"(__cvta_generic_to_global(from)), "r"(read) : "memory");
}

__device__ __forceinline__ void copy4(void *to, const float *from, int read)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(SHARED(to)), "l"(__cvta_generic_to_global(from)), "r"(read) : "memory");
}

__device__ __forceinline__ void bring(float4 *to, const float *matrix, int index, int have, bool aligned)
{
    if (aligned)
        copy16(to, matrix + (have > 0 ? index : 0), have > 0 ? 16 : 0);
    else
        for (int j = 0; j < 4; j++)
            copy4((float *)to + j, matrix + (j < have ? index + j : 0), j < have ? 4 : 0);
}

enum { STAGES = 3, CONSUMERS = 8 };

__global__ void __launch_bounds__(288) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[STAGES][64][4], b_tile[STAGES][16][16];
    __shared__ unsigned long long full[STAGES], empty[STAGES];

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;

    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            bar_init(&full[s], 32);          // the lanes of the warp that fetches
            bar_init(&empty[s], CONSUMERS);  // one lane of each that multiplies
        }
    __syncthreads();  // the only one

    if (warp == CONSUMERS) {
        for (int step = 0, stage = 0, phase = 1; step < steps; step++) {
            bar_wait(&empty[stage], phase);  // in the first round at once
            const int k0 = step * 16;
#pragma unroll 4
            for (int e = lane; e < 256; e += 32) {
                const int r = e / 4, i = k0 + e % 4 * 4;
                bring(&a_tile[stage][r][e % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            }
#pragma unroll 4
            for (int e = lane; e < 256; e += 32) {
                const int i = k0 + e / 16, q = column0 + e % 16 * 4;
                bring(&b_tile[stage][e / 16][e % 16], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
            }
            bar_arrive_after_copies(&full[stage]);
            if (++stage == STAGES)
                stage = 0, phase ^= 1;
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        return;
    }

    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int step = 0, stage = 0, phase = 0; step < steps; step++) {
        bar_wait(&full[stage], phase);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = a_tile[stage][ty * 4 + p][j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 y = b_tile[stage][j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * y.x;
                    sum[p][1] += f * y.y;
                    sum[p][2] += f * y.z;
                    sum[p][3] += f * y.w;
                }
            }
        }
        __syncwarp();  // all lanes have read
        if (lane == 0)
            bar_arrive(&empty[stage]);
        if (++stage == STAGES)
            stage = 0, phase ^= 1;
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
