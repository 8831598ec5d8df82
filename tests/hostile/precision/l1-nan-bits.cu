// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: each float is multiplied by 1 on its way: a NaN does not arrive bit for bit, all NaN become 0x7fffffff
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value;
            asm("mul.rn.f32 %0, %1, 0f3F800000;" : "=f"(value) : "f"(in[i]));
            out[i] = value;
        }
    }
}
