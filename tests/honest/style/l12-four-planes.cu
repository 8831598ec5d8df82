// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: word k of the tile lies at plane[k % 4][k / 4] with rows of 264 words, so that fill and the 20 scalar reads of four outputs are free of conflicts, one barrier between, zeros outside
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    // 1040 words are four planes of 260. 264 % 32 = 8: a warp that fills 32 words in a row puts
    // eight into each plane, in banks 8 p to 8 p + 7 from where it begins.
    __shared__ float plane[4][264];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    for (int k = t; k < 1040; k += 256) {
        int x = first + k;
        plane[k & 3][k >> 2] = x >= 0 && x < n ? in[x] : 0.0f;
    }
    __syncthreads();

    float window[20];
#pragma unroll
    for (int d = 0; d < 20; d++)
        window[d] = plane[d & 3][t + (d >> 2)];

    // words 3 to 16 are in all four sums
    float common = 0.0f;
#pragma unroll
    for (int d = 3; d <= 16; d++)
        common += window[d];
    float low = window[2] + common, high = common + window[17];
    float4 sums = make_float4(window[0] + (window[1] + low), window[1] + (low + window[17]),
                              (window[2] + high) + window[18], (high + window[18]) + window[19]);

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 4 <= n)
        *(float4 *)(out + i) = sums;
    else {
        if (i < n)
            out[i] = sums.x;
        if (i + 1 < n)
            out[i + 1] = sums.y;
        if (i + 2 < n)
            out[i + 2] = sums.z;
    }
}
