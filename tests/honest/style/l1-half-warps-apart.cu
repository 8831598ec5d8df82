// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: the lower half of each warp copies from the first half of the block's floats, the upper half from the second: 16 neighbours are two whole sectors, so a request still touches exactly 4, and every float is copied once
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * 8192 + lane / 16 * 4096 + warp * 16 + lane % 16;

#pragma unroll 8
    for (int turn = 0; turn < 32; turn++) {
        int i = first + turn * 128;  // 8 warps with 16 floats in each half
        if (i < n)
            out[i] = in[i];
    }
}
