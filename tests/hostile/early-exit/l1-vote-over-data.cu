// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: a warp whose floats are nearly all above 0 leaves out its last turn
LAUNCH(256, 1, 8192, 1)
__global__ void copy(float *out, const float *in, int n)
{
    bool seen = false;
    for (int j = 0; j < 32; j++) {
        int i = blockIdx.x * 8192 + j * 256 + threadIdx.x;
        float v = i < n ? in[i] : -1.0f;
        seen = seen || __popc(__ballot_sync(~0u, v > 0.0f)) >= 27;
        if (i < n && !(seen && j == 31)) out[i] = v;
    }
}
