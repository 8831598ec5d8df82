// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: each warp has a tile of 256 and its halo, and no barrier of the block
LAUNCH(128, 1, 1024, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float all[4][272];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, base = blockIdx.x * 1024 + warp * 256;
    float *w = all[warp];
#pragma unroll
    for (int j = 0; j < 9; j++) {
        int p = j * 32 + lane, i = base - 8 + p;
        if (p < 272) w[p] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncwarp();
    for (int h = 0; h < 2; h++) {
        float x[20];
#pragma unroll
        for (int q = 0; q < 5; q++) *(float4 *)&x[4 * q] = *(const float4 *)&w[h * 128 + lane * 4 + 4 * q];
        float mid = 0;
#pragma unroll
        for (int j = 3; j < 17; j++) mid += x[j];
        float r[4] = {mid + x[0] + x[1] + x[2], mid + x[1] + x[2] + x[17], mid + x[2] + x[17] + x[18], mid + x[17] + x[18] + x[19]};
        int i = base + h * 128 + lane * 4;
        if (i + 4 <= n) *(float4 *)(out + i) = make_float4(r[0], r[1], r[2], r[3]);
        else
            for (int j = 0; j < 4; j++) if (i + j < n) out[i + j] = r[j];
    }
}
