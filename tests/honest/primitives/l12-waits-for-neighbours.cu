// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: each warp has an mbarrier of one elected arrival and waits only for the warps to its left and right
LAUNCH(256, 1, 1024, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ float4 load4(const float *in, int i, int n)  // i is a multiple of 4 and not negative
{
    if (i + 3 < n)
        return *(const float4 *)(in + i);
    float4 four = {};
    if (i < n) four.x = in[i];
    if (i + 1 < n) four.y = in[i + 1];
    if (i + 2 < n) four.z = in[i + 2];
    return four;
}

__device__ void wait_for(unsigned long long *bar)
{
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(AT(bar)) : "memory");
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[2 + 256 + 2];
    __shared__ unsigned long long filled[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 1024;

    if (t < 8)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&filled[t])) : "memory");

    float4 mine = load4(in, base + 4 * t, n), edge = {};
    bool left = warp == 0 && lane < 2, right = warp == 7 && lane < 2;
    if (left && base > 0)
        edge = load4(in, base - 8 + 4 * lane, n);
    if (right)
        edge = load4(in, base + 1024 + 4 * lane, n);
    __syncthreads();  // the barriers are made

    tile[2 + t] = mine;
    if (left)
        tile[lane] = edge;
    if (right)
        tile[258 + lane] = edge;
    __syncwarp();
    if (lane == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&filled[warp])) : "memory");
    if (warp > 0)
        wait_for(&filled[warp - 1]);
    if (warp < 7)
        wait_for(&filled[warp + 1]);

    float w[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        float4 four = tile[t + q];
        w[4 * q] = four.x, w[4 * q + 1] = four.y, w[4 * q + 2] = four.z, w[4 * q + 3] = four.w;
    }
    float middle = 0.0f;
#pragma unroll
    for (int d = 3; d <= 16; d++)
        middle += w[d];
    float sums[4] = {w[0] + w[1] + w[2] + middle, w[1] + w[2] + middle + w[17], w[2] + middle + w[17] + w[18],
                     middle + w[17] + w[18] + w[19]};
    int i = base + 4 * t;
    if (i + 3 < n)
        *(float4 *)(out + i) = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
