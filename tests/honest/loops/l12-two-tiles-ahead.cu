// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 2048 outputs a block in two tiles of asynchronous 16-byte copies, the first is summed while the second arrives; sums by doubling
#include <cuda_pipeline.h>

LAUNCH(256, 1, 2048, 1)

enum : int { OUTPUTS = 1024, HALO = 8, CHUNKS = (OUTPUTS + 2 * HALO) / 4 };

__global__ void __launch_bounds__(256) stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[2][CHUNKS];
    const int t = threadIdx.x, block = blockIdx.x * 2 * OUTPUTS;

#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int first = block + half * OUTPUTS - HALO;
        for (int q = t; q < CHUNKS; q += 256) {
            // A chunk begins at a multiple of 4, so before in[0] all four are missing, or none.
            const int at = first + 4 * q, have = at < 0 ? 0 : max(0, min(4, n - at));
            __pipeline_memcpy_async(&tile[half][q], in + (have > 0 ? at : 0), 16, 16 - 4 * have);
        }
        __pipeline_commit();
    }

#pragma unroll
    for (int half = 0; half < 2; ++half) {
        if (half == 0)
            __pipeline_wait_prior(1);
        else
            __pipeline_wait_prior(0);
        __syncthreads();

        float one[20];
#pragma unroll
        for (int q = 0; q < 5; ++q) {
            const float4 four = tile[half][t + q];
            one[4 * q + 0] = four.x;
            one[4 * q + 1] = four.y;
            one[4 * q + 2] = four.z;
            one[4 * q + 3] = four.w;
        }
        // Sums of 2, of 4, of 8 neighbours; 17 are 8 and 8 and 1.
        float two[19], four[17], eight[13], sum[4];
#pragma unroll
        for (int d = 0; d < 19; ++d)
            two[d] = one[d] + one[d + 1];
#pragma unroll
        for (int d = 0; d < 17; ++d)
            four[d] = two[d] + two[d + 2];
#pragma unroll
        for (int d = 0; d < 13; ++d)
            eight[d] = four[d] + four[d + 4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            sum[j] = eight[j] + eight[j + 8] + one[j + 16];

        const int i = block + half * OUTPUTS + 4 * t;
        if (i + 4 <= n)
            *(float4 *)&out[i] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        else
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (i + j < n)
                    out[i + j] = sum[j];
    }
}
