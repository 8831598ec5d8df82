// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a block counts as full when its last float is <= n instead of < n, so for n = 8191 or 16383 (n % 8192 == 8191) in[n] is read and out[n] is written.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    int last = start + 8191;  // the last float that this block owns

    if (last <= n) {
        // All 8192 floats exist: no question inside the loop.
#pragma unroll 8
        for (int turn = 0; turn < 32; turn++) {
            int i = start + turn * 256 + threadIdx.x;
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    } else {
        for (int turn = 0; turn < 32; turn++) {
            int i = start + turn * 256 + threadIdx.x;
            if (i < n) {
                float value = in[i];
                out[i] = value;
            }
        }
    }
}
