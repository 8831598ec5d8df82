// lesson 1; device sim,gpu; nvcc,clang; quick; want: full; tries: four floats a lane
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 8; turn++) {
        int i = start + (turn * 256 + threadIdx.x) * 4;
        if (i + 4 <= n)
            *(float4 *)&out[i] = *(const float4 *)&in[i];
        else
            for (int j = i; j < n; j++)
                out[j] = in[j];
    }
}
