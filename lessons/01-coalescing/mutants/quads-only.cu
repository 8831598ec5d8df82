// Four floats a turn, and nobody copies the one to three that are left.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    for (int turn = 0; turn < 8; turn++) {
        int i = start + turn * 1024 + threadIdx.x * 4;
        if (i + 3 < n) {
            float4 value = *(const float4 *)&in[i];
            *(float4 *)&out[i] = value;
        }
    }
}
