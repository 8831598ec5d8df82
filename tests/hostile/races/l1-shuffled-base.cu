// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the warp's base index is "made uniform" by a full-mask __shfl_sync inside if (i < n), where n ends inside a warp (33, 10007) the mask names lanes that never execute the shuffle, which is undefined, though lane 0 happens to be there and every float arrives
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int lane = threadIdx.x & 31;
    int start = blockIdx.x * 8192 + threadIdx.x;

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256;
        if (i < n) {
            // all lanes of the warp get the base from lane 0, so the compiler knows it is the same
            int base = __shfl_sync(0xffffffff, i, 0);
            out[base + lane] = in[base + lane];
        }
    }
}
