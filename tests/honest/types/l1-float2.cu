// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: two floats a lane
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 16; turn++) {
        int i = start + (turn * 256 + threadIdx.x) * 2;
        if (i + 2 <= n)
            *(float2 *)&out[i] = *(const float2 *)&in[i];
        else
            for (int j = i; j < n; j++)
                out[j] = in[j];
    }
}
