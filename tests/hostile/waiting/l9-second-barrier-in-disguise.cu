// lesson 9; device sim; nvcc,clang; want: pass, at most 95; tries: each step passes two barriers of the whole block, not one: the second is an mbarrier at which all 256 threads arrive and wait
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    __shared__ unsigned long long read_by_all;

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&read_by_all);
    float sum[4][4] = {};

    if (id == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(bar) : "memory");
    __syncthreads();

    auto fetch = [&](int step) {
        int k0 = step * 16, r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[step % 2][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[step % 2][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        __pipeline_commit();
    };

    fetch(0);
    for (int step = 0; step * 16 < k; step++) {
        fetch(step + 1);  // zeros behind the end of k
        __pipeline_wait_prior(1);
        __syncthreads();

        const float (*x)[16] = (const float (*)[16])&a_tile[step % 2][ty * 4];
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 y = b_tile[step % 2][j][tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p][0] += x[p][j] * y.x;
                sum[p][1] += x[p][j] * y.y;
                sum[p][2] += x[p][j] * y.z;
                sum[p][3] += x[p][j] * y.w;
            }
        }

        // All have read this place: the next turn fills it.
        asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(bar) : "memory");
        for (unsigned done = 0; !done;)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done) : "r"(bar), "r"(step % 2) : "memory");
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
