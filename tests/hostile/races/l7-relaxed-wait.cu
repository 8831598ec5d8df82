// lesson 7; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tiles are handed over by an mbarrier. The arrivals release, but the wait is mbarrier.try_wait.parity.relaxed.cta, which acquires nothing, and no fence follows it: what the other warps stored before they arrived is not ordered before the reads of the tiles (PTX ISA: only .acquire makes it so). A race between filling and reading in every step, at every size.
// 07 register tiling: 64 x 64 elements a block, 4 x 4 a thread.
LAUNCH(16, 16, 64, 64)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    __shared__ unsigned long long filled;  // eight warps arrive in each step

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    if (id == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(AT(&filled)) : "memory");
    __syncthreads();

    for (int step = 0, k0 = 0; k0 < k; step++, k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;  // @fill
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncwarp();  // lane 0 arrives for all 32
        if (id % 32 == 0)
            asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(AT(&filled)) : "memory");
        for (unsigned over = 0; !over;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&filled)), "r"(step & 1) : "memory");

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];  // @a
                y[j] = b_tile[i][q0 + j];  // @b
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
