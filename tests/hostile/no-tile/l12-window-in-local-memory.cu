// lesson 12; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: five wide loads from the tile, but the window of 20 words lies in local memory and is read there 17 times for each output: what the lesson takes out of shared memory L1 does now, at least 1.5 times slower than the solution.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;
    for (int e = t; e < 1024 + 16; e += 256)
        tile[e] = first + e >= 0 && first + e < n ? in[first + e] : 0.0f;  // @fill
    __syncthreads();

    int nothing = n < 0 ? t : 0;  // 0, which the compiler does not know
    volatile float window[32];
#pragma unroll
    for (int j = 0; j < 5; j++) {
        float4 four = ((const float4 *)tile)[t + j];  // @take
        window[(j * 4 + nothing) & 31] = four.x;
        window[(j * 4 + 1 + nothing) & 31] = four.y;
        window[(j * 4 + 2 + nothing) & 31] = four.z;
        window[(j * 4 + 3 + nothing) & 31] = four.w;
    }

    float sum[4];
#pragma unroll
    for (int o = 0; o < 4; o++) {
        sum[o] = 0;
#pragma unroll
        for (int d = 16; d >= 0; d--)
            sum[o] += window[(o + d + nothing) & 31];
    }

    int i = blockIdx.x * 1024 + t * 4;
    if (i + 3 < n)
        *(float4 *)(out + i) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
#pragma unroll
        for (int o = 0; o < 4; o++)
            if (i + o < n)
                out[i + o] = sum[o];
}
