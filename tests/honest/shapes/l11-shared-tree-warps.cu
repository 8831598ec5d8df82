// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: no shuffles: each warp has a tree in shared memory between __syncwarp()s, 32 x 4 threads
LAUNCH(32, 4, 4, 1)
__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float tree[4][32];
    const int lane = threadIdx.x, w = threadIdx.y;
    float *t = tree[w];
    for (int row = blockIdx.x * 4 + w; row < rows; row += gridDim.x * 4) {
        const float *p = in + (size_t)row * cols, *const e = p + cols;
        float s0 = 0, s1 = 0;
        if (cols % 4 == 0) {
            const float4 *v = (const float4 *)p + lane;
#pragma unroll 4
            for (; v < (const float4 *)e; v += 32) { s0 += v->x + v->y; s1 += v->z + v->w; }
        } else
            for (p += lane; p < e; p += 32) s0 += *p;
        t[lane] = s0 + s1;
        __syncwarp();
#pragma unroll
        for (int d = 16; d; d >>= 1) {
            if (lane < d) t[lane] += t[lane + d];
            __syncwarp();
        }
        if (!lane) out[row] = *t;
        __syncwarp();
    }
}
