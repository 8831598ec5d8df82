// lesson 12; device sim; nvcc,clang; want: fail|timeout; tries: the last block fills the eight words behind its 1024 only where n reaches to their end: for n % 1024 from 1017 to 1023 the last outputs add up shared memory that nobody wrote
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    // tile[8 + j] is in[start + j]; eight more on either side.
    __shared__ __align__(16) float tile[8 + 1024 + 8];
    int t = threadIdx.x, start = blockIdx.x * 1024;

    // The left halo: the block before is always whole.
    if (t < 8)
        tile[t] = start > 0 ? in[start - 8 + t] : 0.0f;

    // The middle: beyond the end there are zeros.
    for (int j = t; j < 1024; j += 256)
        tile[8 + j] = start + j < n ? in[start + j] : 0.0f;

    // The right halo is for blocks whose 1024 inputs all exist. In the last one, where they do not,
    // the zeros of the middle are the halo.
    if (t < 8 && start + 1024 <= n)
        tile[8 + 1024 + t] = start + 1024 + t < n ? in[start + 1024 + t] : 0.0f;
    __syncthreads();

    int i = start + 4 * t;
    if (i >= n)
        return;

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];  // @take
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }

    float middle = 0.0f;  // what all four have in common
    for (int d = 3; d < 17; d++)
        middle += window[d];
    float sums[4] = {
        window[0] + window[1] + window[2] + middle,
        window[1] + window[2] + middle + window[17],
        window[2] + middle + window[17] + window[18],
        middle + window[17] + window[18] + window[19],
    };

    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
