// lesson 12; device sim,gpu; nvcc,clang; want: fail; tries: brings the right halo as two float4s and takes zeros where one is not whole, wrong where in ends inside of one, so for n = 1025 and all n > 1024 that leave 1, 2, 3, 5, 6 or 7 behind a multiple of 1024
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, base = blockIdx.x * 1024;

    // the block's own inputs: four neighbours a thread, one by one only where in ends
    int i = base + 4 * t;
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i + 3 < n)
        four = *(const float4 *)&in[i];
    else {
        if (i < n)
            four.x = in[i];
        if (i + 1 < n)
            four.y = in[i + 1];
        if (i + 2 < n)
            four.z = in[i + 2];
    }
    *(float4 *)&tile[8 + 4 * t] = four;
    // the halo: two on either side
    if (t < 4) {
        int at = t < 2 ? base - 8 + 4 * t : base + 1024 + 4 * (t - 2);
        float4 halo = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (at >= 0 && at + 3 < n)
            halo = *(const float4 *)&in[at];
        *(float4 *)&tile[at - base + 8] = halo;
    }
    __syncthreads();

    float window[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        float4 w = ((const float4 *)tile)[t + q];
        window[4 * q] = w.x;
        window[4 * q + 1] = w.y;
        window[4 * q + 2] = w.z;
        window[4 * q + 3] = w.w;
    }
    float sum = 0.0f, sums[4];
#pragma unroll
    for (int d = 0; d < 16; d++)
        sum += window[d];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else {
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
    }
}
