// A kernel in a header: tests/cli/test_trace.c asks where its lines are.
#pragma once

template <int STRIDE> __global__ void tile(float *out, const float *in)
{
    __shared__ float staged[32 * STRIDE];
    staged[threadIdx.x * STRIDE] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = staged[(threadIdx.x ^ 1) * STRIDE];
}
