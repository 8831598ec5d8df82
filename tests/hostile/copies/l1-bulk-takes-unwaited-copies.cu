// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: lane 0 alone waits for its cp.async copies, then its bulk store takes the other 31 lanes' slots, which nobody waited for: a cp.async is waited for by its own thread only; every n >= 8
// 01 coalescing: four floats a lane come by asynchronous copies, and each warp sends its 1024 off in bulk.
#include <cuda_pipeline.h>

LAUNCH(256, 1, 8192, 1)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ __align__(128) float slots[8][1024];  // a kilofloat for each warp, no block barrier

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * 8192 + warp * 1024;
    int count = min(1024, n - first), whole = count > 0 ? count & ~3 : 0;

    for (int j = 0; j < 8; j++) {
        int e = j * 128 + lane * 4;
        if (e < whole)
            __pipeline_memcpy_async(&slots[warp][e], &in[first + e], 16);
    }
    __pipeline_commit();

    // The lane that sends waits for what it sends; the proxies meet, then the warp.
    if (lane == 0)
        __pipeline_wait_prior(0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (lane == 0 && whole > 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                     :: "l"(__cvta_generic_to_global(out + first)), "r"(AT(slots[warp])), "r"(whole * 4) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }

    // What fills no 16 bytes.
    if (lane < count - whole)
        out[first + whole + lane] = in[first + whole + lane];
}
