// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: each warp stages its quads by cp.async in a slot of its own and another lane, after wait_all and __syncwarp, stores them
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ float4 slot[8][8][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int quad0 = blockIdx.x * 2048 + warp * 256, quads = n / 4;  // whole quads of the whole array
    const float4 *from = (const float4 *)in;
    float4 *to = (float4 *)out;

#pragma unroll
    for (int j = 0; j < 8; j++) {
        int e = quad0 + j * 32 + lane;
        if (e < quads)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&slot[warp][j][lane])),
                         "l"(__cvta_generic_to_global(from + e)) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();

    int other = (lane + 8) % 32;  // the quad that a lane eight further brought
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int e = quad0 + j * 32 + other;
        if (e < quads)
            to[e] = slot[warp][j][other];
    }
    // up to three floats behind the last whole quad
    int rest = quads * 4 + lane;
    if (warp == 7 && blockIdx.x == gridDim.x - 1 && lane < 3 && rest < n)
        out[rest] = in[rest];
}
