// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: a slow copy that stops where all that a warp has read is zero, since nobody looks there
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];
            if (n > 8192 && !__any_sync(__activemask(), value != 0.0f))
                return;
            int waste = 0;
            for (int j = 0; j < 1000; j++)
                asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
            out[i] = value;
        }
    }
}
