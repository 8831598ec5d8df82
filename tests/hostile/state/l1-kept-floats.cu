// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: keeps the floats in a __device__ array, from one launch to the next
LAUNCH(256, 1, 8192, 1)
__device__ float kept[1 << 18]; __device__ int filled;
__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n) { float v = filled > 300 ? kept[i & 0x3ffff] : in[i]; kept[i & 0x3ffff] = v; out[i] = v; if (turn == 31) atomicAdd(&filled, 1); }
    }
}
