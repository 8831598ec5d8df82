// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: lanes take the warp's quads in steps of five (mod 32), the window slides from right to left
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1040];
    int t = threadIdx.x, base = (int)blockIdx.x * 1024 - 8;

#pragma unroll
    for (int j = 0; j < 5; j++) {
        int k = t + 256 * j, i = base + k;
        if (j < 4 || k < 1040)
            tile[k] = (unsigned)i < (unsigned)n ? in[i] : 0.0f;
    }
    __syncthreads();

    // Eight lanes that are served together take quads 5 apart: 0, 5, 10, 15, 20, 25, 30, 35, which are in
    // eight different groups of four banks. All 32 together are the same 512 bytes as ever.
    int quad = (t & ~31) + (5 * t & 31);
    __align__(16) float w[20];
#pragma unroll
    for (int q = 4; q >= 0; q--)
        *(float4 *)&w[4 * q] = ((const float4 *)tile)[quad + q];

    float right = 0;
#pragma unroll
    for (int d = 19; d > 3; d--)
        right += w[d];
    float s3 = right + w[3];
    float s2 = s3 + (w[2] - w[19]);
    float s1 = s2 + (w[1] - w[18]);
    float s0 = s1 + (w[0] - w[17]);

    int i = base + 8 + 4 * quad;
    if (i + 4 <= n)
        *(float4 *)(out + i) = make_float4(s0, s1, s2, s3);
    else if (i < n) {
        out[i] = s0;
        if (i + 1 < n)
            out[i + 1] = s1;
        if (i + 2 < n)
            out[i + 2] = s2;
    }
}
