// Each thread still owns pairs of neighbours: lanes are 8 bytes apart.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn / 2 * 512 + threadIdx.x * 2 + turn % 2;
        if (i < n) {
            float value = in[i];
            out[i] = value;
        }
    }
}
