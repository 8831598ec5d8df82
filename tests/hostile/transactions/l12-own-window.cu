// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate traffic; tries: each thread loads all 20 floats that its four outputs want, and sends them through shared memory to itself
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 own[5][256];
    int t = threadIdx.x, i = blockIdx.x * 1024 + 4 * t;
    for (int q = 0; q < 5; q++) {
        int at = i - 8 + 4 * q;
        float4 four = {};
        if (at >= 0 && at + 3 < n)
            four = *(const float4 *)&in[at];
        else {
            if (at >= 0 && at < n) four.x = in[at];
            if (at + 1 >= 0 && at + 1 < n) four.y = in[at + 1];
            if (at + 2 >= 0 && at + 2 < n) four.z = in[at + 2];
            if (at + 3 >= 0 && at + 3 < n) four.w = in[at + 3];
        }
        own[q][t] = four;
    }
    asm volatile("" ::: "memory");
    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = own[q][t];
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
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
