// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: at the modelled size each warp takes 32 floats from one further on: five sectors for four
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int first = blockIdx.x * 8192, shift = n > 1000000 && first > 0 && first + 8192 <= n ? 1 : 0;
    for (int turn = 0; turn < 32; turn++) {
        int i = first + turn * 256 + (threadIdx.x + shift) % 256;
        if (shift)
            i = first + (turn * 256 + threadIdx.x + 3) % 8192;
        if (i < n)
            out[i] = in[i];
    }
}
