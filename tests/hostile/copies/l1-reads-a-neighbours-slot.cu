// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each lane waits for its own asynchronous copies and then reads four floats that other lanes copied: no __syncwarp after the wait, and none before the slot is filled again
#include <cuda_pipeline.h>

LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ __align__(16) float slots[8][128];  // one for each warp

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float *slot = slots[warp];

    for (int turn = 0; turn < 8; turn++) {
        int first = blockIdx.x * 8192 + turn * 1024 + warp * 128;
        for (int j = lane; j < 128 && first + j < n; j += 32)
            __pipeline_memcpy_async(&slot[j], &in[first + j], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);

        int i = first + lane * 4;
        if (i + 3 < n)
            *(float4 *)&out[i] = *(const float4 *)&slot[lane * 4];
        else
            for (int j = 0; i + j < n; j++)
                out[i + j] = slot[lane * 4 + j];
    }
}
