// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: the bits as integers, sixteen bytes a lane
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 8; turn++) {
        int i = start + (turn * 256 + threadIdx.x) * 4;
        if (i + 4 <= n)
            *(int4 *)&out[i] = *(const int4 *)&in[i];
        else
            for (int j = i; j < n; j++)
                out[j] = in[j];
    }
}
