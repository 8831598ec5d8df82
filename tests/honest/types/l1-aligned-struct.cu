// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: a struct of four floats by value
struct alignas(16) four {
    float a, b, c, d;
};
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 8; turn++) {
        int i = start + (turn * 256 + threadIdx.x) * 4;
        if (i + 3 < n)
            *(four *)(out + i) = *(const four *)(in + i);
        else
            for (int j = i; j < n && j < i + 4; j++)
                out[j] = in[j];
    }
}
