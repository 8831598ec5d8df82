// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: eight outputs a thread; chunks of four moved so that every second chunk is free of conflicts
LAUNCH(128, 1, 1024, 1)
// Chunk q lives at q ^ (q >> 3 & 1): eight lanes that read chunks 2 t + j meet 8 different groups of four banks.
static __device__ __forceinline__ int home(int q) { return q ^ (q >> 3 & 1); }
__global__ void stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float4 tile[264];
    const int t = threadIdx.x, b = blockIdx.x * 1024;
    for (int q = t; q < 260; q += 128) {
        int i = b - 8 + 4 * q;
        float v[4];
        if (i >= 0 && i + 4 <= n) *(float4 *)v = *(const float4 *)(in + i);
        else
            for (int j = 0; j < 4; j++) v[j] = i + j >= 0 && i + j < n ? in[i + j] : 0.0f;
        tile[home(q)] = make_float4(v[0], v[1], v[2], v[3]);
    }
    __syncthreads();
    float w[24];
#pragma unroll
    for (int j = 0; j < 6; j++) {
        float4 v = tile[home(2 * t + j)];
        w[4 * j] = v.x; w[4 * j + 1] = v.y; w[4 * j + 2] = v.z; w[4 * j + 3] = v.w;
    }
    float r[8], mid = 0;
#pragma unroll
    for (int j = 7; j < 17; j++) mid += w[j];
#pragma unroll
    for (int o = 0; o < 8; o++) {
        r[o] = mid;
#pragma unroll
        for (int j = 0; j < 24; j++)
            if ((j < 7 || j > 16) && j >= o && j <= o + 16) r[o] += w[j];
    }
    __syncthreads();  // all have their windows; now the tile takes the results, so that whole sectors go out
    tile[home(2 * t)] = make_float4(r[0], r[1], r[2], r[3]);
    tile[home(2 * t + 1)] = make_float4(r[4], r[5], r[6], r[7]);
    __syncthreads();
    for (int q = t; q < 256; q += 128) {
        const float4 v = tile[home(q)];
        const int o = b + 4 * q;
        if (o + 4 <= n) *(float4 *)(out + o) = v;
        else {
            if (o < n) out[o] = v.x;
            if (o + 1 < n) out[o + 1] = v.y;
            if (o + 2 < n) out[o + 2] = v.z;
        }
    }
}
