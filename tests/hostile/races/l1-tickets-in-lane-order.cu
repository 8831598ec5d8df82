// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: lanes take tickets by one atomicAdd and trust that lane l gets ticket l: the order of lanes in an atomic is not defined
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ int tickets[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        tickets[warp] = 0;
    __syncwarp();
    int mine = atomicAdd(&tickets[warp], 1);
    int start = blockIdx.x * 8192 + warp * 32;
    for (int turn = 0; turn < 32; turn++) {
        int from = start + turn * 256 + mine, to = start + turn * 256 + lane;
        if (to < n && from < n)
            out[to] = in[from];
    }
}
