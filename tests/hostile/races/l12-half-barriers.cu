// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tile is filled by all 256 threads, but each half of the block waits at a barrier of its own with 128 threads: for n > 120 a half may read words that the other half has not brought yet.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    for (int k = t; k < 1024 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;

    // Two groups of four warps, each with its own barrier: a warp waits for fewer others.
    if (t < 128)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    else
        asm volatile("bar.sync 2, 128;" ::: "memory");

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];  // @take
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
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
