// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: two places and one mbarrier of eight elected arrivals, with the next step's loads between arrival and wait
LAUNCH(16, 16, 64, 64)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[2][64][16], b_tile[2][16][64];
    __shared__ unsigned long long met;

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {}, next_a[4], next_b[4];

    auto load = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            next_a[j] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            next_b[j] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
    };

    if (id == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" ::"r"(AT(&met)) : "memory");
    load(0);
    __syncthreads();

    int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        int place = step & 1;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256;
            a_tile[place][e / 16][e % 16] = next_a[j];
            b_tile[place][e / 64][e % 64] = next_b[j];
        }
        __syncwarp();  // the lanes' stores, and their reads of the step before
        if (id % 32 == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&met)) : "memory");
        if (step + 1 < steps)
            load((step + 1) * 16);
        for (unsigned done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(AT(&met)), "r"(place) : "memory");

#pragma unroll
        for (int i = 0; i < 16; i += 4) {
            float4 x[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = *(const float4 *)&a_tile[place][r0 + j][i];
#pragma unroll
            for (int d = 0; d < 4; d++) {
                float4 y = *(const float4 *)&b_tile[place][i + d][q0];
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    float f = d == 0 ? x[r].x : d == 1 ? x[r].y : d == 2 ? x[r].z : x[r].w;
                    sum[r][0] = fmaf(f, y.x, sum[r][0]);
                    sum[r][1] = fmaf(f, y.y, sum[r][1]);
                    sum[r][2] = fmaf(f, y.z, sum[r][2]);
                    sum[r][3] = fmaf(f, y.w, sum[r][3]);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
