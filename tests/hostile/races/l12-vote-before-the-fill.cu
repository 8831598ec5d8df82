// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: counts on the barrier inside __syncthreads_and(), but that vote stands before the fill, nothing is between filling the tile and reading what other warps have filled
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    // Does every thread of this block find all its words? The vote is a barrier as well.
    bool whole = __syncthreads_and(first + t >= 0 && first + 1024 + 15 < n);
    if (whole)
        for (int k = t; k < 1024 + 16; k += 256)
            tile[k] = in[first + k];
    else
        for (int k = t; k < 1024 + 16; k += 256)
            tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;

    float window[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
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

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
