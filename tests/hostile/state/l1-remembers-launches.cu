// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a __device__ table remembers (in, out, n): only the first launch copies, a later one with new contents at the same addresses returns at once and leaves stale output
// 01 coalescing: copy n floats.
LAUNCH(256, 1, 8192, 1)

__device__ unsigned seen[16384];

__global__ void copy(float *out, const float *in, int n)
{
    // A block that comes again has nothing to do: its floats are there already.
    __shared__ bool done;
    if (threadIdx.x == 0) {
        unsigned long long key = (unsigned long long)in * 0x9e3779b97f4a7c15ull ^ (unsigned long long)out * 0xc2b2ae3d27d4eb4full;
        key = (key ^ (unsigned long long)n) * 0x165667b19e3779f9ull;
        done = atomicAdd(&seen[key >> 50], 1u) >= gridDim.x;
    }
    __syncthreads();
    if (done)
        return;

    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    }
}
