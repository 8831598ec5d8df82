// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile, gate traffic; tries: windows of 20 floats by float4 loads straight from global memory, one word in shared memory
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float dummy[256];
    dummy[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 1024 + 4 * threadIdx.x;
    float window[20];
    for (int q = 0; q < 5; q++) {
        int at = i - 8 + 4 * q;
        if (at >= 0 && at + 3 < n) {
            float4 four = *(const float4 *)&in[at];
            window[4 * q] = four.x;
            window[4 * q + 1] = four.y;
            window[4 * q + 2] = four.z;
            window[4 * q + 3] = four.w;
        } else
            for (int j = 0; j < 4; j++)
                window[4 * q + j] = at + j >= 0 && at + j < n ? in[at + j] : 0.0f;
    }
    float sum = dummy[255 - threadIdx.x], sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
