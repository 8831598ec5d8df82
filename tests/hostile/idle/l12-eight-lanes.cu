// lesson 12; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: 24 of 32 lanes of every warp do nothing but help to fill: eight lanes compute the warp's 32 outputs, in blocks of 1024 threads, so that wavefronts, sectors and the warps' balance look like the solution's
LAUNCH(1024, 1, 1024, 1)

__global__ void __launch_bounds__(1024) stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    for (int k = t; k < 1024 + 16; k += 1024)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();

    int lane = t % 32;
    if (lane >= 8)
        return;
    int w = t / 32 * 8 + lane;

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[w + q];
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

    int i = blockIdx.x * 1024 + 4 * w;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
